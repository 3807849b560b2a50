import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { NewSession } from './agent/types'
import { PlumblineError, toFailure } from './platform/errors'
import { createServices, type Services, type ServicesOptions } from './services'
import { cacheFolder, plumblineHome } from './settings/home'
import {
  type CommonArguments,
  ExitCode,
  parseRunArguments,
  parseToolsArguments,
  type RunArguments,
} from './terminal/arguments'
import { playInTerminal } from './terminal/demo-command'
import { diagnose } from './terminal/doctor-command'
import { whenReaderGoes, writeLine, writeText } from './terminal/output'
import { promptContent, runPrompt } from './terminal/run-command'
import { issueText } from './terminal/settings-issue'
import { describeTools, serveTools } from './terminal/tools-command'

/** The bundle lies in `out/main`. */
const APP_ROOT = fileURLToPath(new URL('../..', import.meta.url))

const HELP = `plumbline: a coding agent in the terminal

  plumbline tools   a session of tool calls, one JSON object a line; --list prints a toolset
  plumbline run     works one prompt until the model stops: -p TEXT, --model PROVIDER:MODEL
  plumbline doctor  says what works on this machine and what mends the rest
  plumbline demo    the guided demo: a script, no model, on a copy of a sample project

Options of tools and run: --toolset, --cwd DIR, --add-dir DIR, --mode, --sandbox, --trust, --settings FILE
Options of run: --image FILE, --output text|json|stream-json, --continue, --session ID, --max-turns N,
                --output-schema FILE
Other options: --help, --version
`

/** Runs the terminal program and answers its exit code. Never loads Electron. */
async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args
  if (rest.includes('--help') || rest.includes('-h')) return help()
  switch (command) {
    case 'tools':
      return tools(rest)
    case 'run':
      return run(rest)
    case 'doctor':
      return withServices({ attended: false }, ({ credentials, sandbox, providers, settings }) =>
        diagnose(
          { credentials, sandbox, providers, settings, appRoot: APP_ROOT, cacheFolder: cacheFolder() },
          process.stdout,
        ),
      )
    case 'demo':
      return demo()
    case '--version':
    case '-v':
      await writeText(process.stdout, `plumbline ${await version()}\n`)
      return ExitCode.done
    case undefined:
      await help()
      return ExitCode.usage
    case 'help':
    case '--help':
    case '-h':
      return help()
    default:
      throw new PlumblineError(
        'invalid_arguments',
        `There is no command ${command}. plumbline --help lists the commands.`,
      )
  }
}

async function help(): Promise<number> {
  await writeText(process.stdout, HELP)
  return ExitCode.done
}

async function version(): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(APP_ROOT, 'package.json'), 'utf8'))
  return z.object({ version: z.string() }).parse(manifest).version
}

async function tools(args: readonly string[]): Promise<number> {
  const parsed = parseToolsArguments(args)
  return withServices({ attended: false, ...fileOf(parsed) }, async (services, signal) => {
    const { values } = services.settings
    const toolset = parsed.toolset ?? values.toolset
    if (parsed.list) {
      await writeLine(process.stdout, describeTools(services.registry.list(toolset, parsed.mode ?? 'bypass')))
      return ExitCode.done
    }
    const options = await sessionOptions(services, parsed)
    const session = await services.sessions.create({
      ...options,
      toolset,
      mode: parsed.mode ?? 'bypass',
      sandbox: parsed.sandbox ?? 'off',
      model: null,
    })
    await serveTools(session, process.stdin, process.stdout, signal)
    return signal.aborted ? ExitCode.interrupted : ExitCode.done
  })
}

async function run(args: readonly string[]): Promise<number> {
  const parsed = parseRunArguments(args)
  const content = await promptContent(parsed, process.stdin.isTTY ? undefined : process.stdin)
  return withServices({ attended: false, ...fileOf(parsed) }, async (services, signal) => {
    const session = await runSession(services, parsed)
    signal.addEventListener('abort', () => void session.stop(), { once: true })
    return runPrompt(session, content, parsed, process.stdout)
  })
}

async function runSession(services: Services, parsed: RunArguments) {
  const options = await sessionOptions(services, parsed)
  const known = parsed.session ?? (parsed.continue ? await newestSession(services, options.cwd) : undefined)
  if (known === undefined) {
    const { values } = services.settings
    const model = parsed.model ?? values.model
    if (model === undefined) {
      throw new PlumblineError(
        'invalid_arguments',
        'No model is chosen. Give one with --model PROVIDER:MODEL, or name it as "model" in settings.json. plumbline doctor says which are connected.',
      )
    }
    return services.sessions.create({
      ...options,
      toolset: parsed.toolset ?? values.toolset,
      mode: parsed.mode ?? values.mode,
      sandbox: parsed.sandbox ?? values.sandbox.tier,
      model,
      ...(parsed.maxTurns !== undefined && { maxTurns: parsed.maxTurns }),
    })
  }
  const session = await services.sessions.open(known, {
    ...options,
    ...(parsed.maxTurns !== undefined && { maxTurns: parsed.maxTurns }),
  })
  if (parsed.model !== undefined) session.setModel(parsed.model)
  if (parsed.mode !== undefined) session.setMode(parsed.mode)
  if (parsed.toolset !== undefined) session.setToolset(parsed.toolset)
  return session
}

async function newestSession(services: Services, cwd: string): Promise<string> {
  const newest = (await services.sessions.list()).find((summary) => summary.project === cwd)
  if (newest === undefined) throw new PlumblineError('session_not_found', `No session was ever started in ${cwd}.`)
  return newest.id
}

async function demo(): Promise<number> {
  return withServices({ attended: true }, async (services, signal) => {
    const { session, prompt } = await services.openDemo()
    await writeText(
      process.stdout,
      `Guided demo (script, no model) on a copy of the sample project:\n${session.state.cwd}\n\n> ${prompt}\n`,
    )
    signal.addEventListener('abort', () => void session.stop(), { once: true })
    const done = await playInTerminal(session, prompt, { input: process.stdin, output: process.stdout })
    return signal.aborted ? ExitCode.interrupted : done ? ExitCode.done : ExitCode.failed
  })
}

async function sessionOptions(
  services: Services,
  parsed: CommonArguments,
): Promise<Pick<NewSession, 'cwd' | 'addedFolders' | 'narrowed' | 'attended'>> {
  const cwd = await folderOf(parsed.cwd ?? '.')
  const addedFolders = await Promise.all(parsed.addedFolders.map(folderOf))
  if (parsed.trust) await services.trust.setTrusted(cwd, true, 'session')
  const { issues } = await services.settings.forProject(cwd)
  for (const issue of issues) process.stderr.write(`plumbline: ${issueText(issue)}\n`)
  return { cwd, addedFolders, narrowed: parsed.narrowed, attended: false }
}

async function folderOf(folder: string): Promise<string> {
  const absolute = path.resolve(folder)
  const found = await stat(absolute).catch(() => undefined)
  if (!found?.isDirectory()) throw new PlumblineError('invalid_arguments', `${folder} is not a folder.`)
  return realpath(absolute)
}

function fileOf(parsed: CommonArguments): Pick<ServicesOptions, 'settingsFile'> {
  return parsed.settings === undefined ? {} : { settingsFile: path.resolve(parsed.settings) }
}

async function withServices(
  options: Pick<ServicesOptions, 'attended' | 'settingsFile'>,
  work: (services: Services, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const abort = new AbortController()
  const services = await createServices({
    home: plumblineHome(),
    appRoot: APP_ROOT,
    logToStandardError: true,
    ...options,
  })
  const interrupt = () => abort.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)
  whenReaderGoes(process.stdout, interrupt)
  try {
    return await work(services, abort.signal)
  } finally {
    await services.dispose()
  }
}

// Without a listener, a reader of the log that went away would end the process with what it runs left behind.
process.stderr.on('error', () => undefined)
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (thrown: unknown) => {
    const failure = toFailure(thrown)
    process.stderr.write(`plumbline: ${failure.message}\n`)
    process.exitCode = failure.code === 'invalid_arguments' ? ExitCode.usage : ExitCode.failed
  },
)
