import path from 'node:path'
import { parseArgs } from 'node:util'
import type { AppInfo } from '../../preload/contract/app'
import { ModelRef, PermissionMode, ToolsetName } from '../../preload/contract/ids'
import { PlumblineError } from '../platform/errors'

export type LaunchRequest = AppInfo['launch']

export const launchUsage =
  'Usage: npm start -- [DIR] [--model PROVIDER:MODEL] [--toolset plumbline|magi|atomic|o4] [--mode MODE] [--prompt TEXT]'

/**
 * Reads `[DIR] [--model …] [--toolset …] [--mode …] [--prompt …]`; `-p` is `--prompt`. DIR is made absolute from
 * `cwd`. Throws `invalid_arguments` with a sentence that names the option and the usage.
 */
export function parseLaunchArguments(args: readonly string[], cwd: string): LaunchRequest {
  const { values, positionals } = parseStrictly(args)
  const [folder, ...surplus] = positionals
  if (surplus.length > 0) refuse(`One folder can be opened at a start, not ${positionals.length}.`)
  return {
    ...(folder === undefined ? {} : { project: path.resolve(cwd, folder) }),
    ...(values.prompt === undefined ? {} : { prompt: values.prompt }),
    ...(values.model === undefined ? {} : { model: oneOf(ModelRef, values.model, '--model', 'PROVIDER:MODEL') }),
    ...(values.toolset === undefined
      ? {}
      : { toolset: oneOf(ToolsetName, values.toolset, '--toolset', ToolsetName.options.join(', ')) }),
    ...(values.mode === undefined
      ? {}
      : { mode: oneOf(PermissionMode, values.mode, '--mode', PermissionMode.options.join(', ')) }),
  }
}

/**
 * The person's arguments out of the process's: without the executable, the application's path and what Chromium and
 * the launcher put there. A runtime without a packaged application gets its own path as first argument.
 */
export function personArguments(argv: readonly string[], appPath: string): string[] {
  const rest = argv.slice(1)
  const separator = rest.indexOf('--')
  if (separator >= 0) return rest.slice(separator + 1)
  const words = rest.filter((argument) => !isRuntimeSwitch(argument))
  const [first] = words
  return first !== undefined && path.resolve(first) === path.resolve(appPath) ? words.slice(1) : words
}

/** Switches of Chromium, Node and the test driver; none of them has the name of an option of ours. */
const runtimeSwitches = [
  'allow-file-access-from-files',
  'disable-',
  'enable-',
  'force-',
  'high-dpi-support',
  'inspect',
  'lang=',
  'no-sandbox',
  'original-process-start-time',
  'ozone-platform',
  'password-store',
  'remote-debugging-',
  'source-app-id',
  'use-gl',
  'user-data-dir',
  'xshm',
]

function isRuntimeSwitch(argument: string): boolean {
  return runtimeSwitches.some((name) => argument.startsWith(`--${name}`))
}

function parseStrictly(args: readonly string[]) {
  const option = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { model: option, toolset: option, mode: option, prompt: { ...option, short: 'p' } },
    })
  } catch (thrown) {
    return refuse(thrown instanceof Error ? (thrown.message.split('. ')[0] ?? '') : String(thrown))
  }
}

function oneOf<Value>(
  schema: { safeParse(value: unknown): { success: true; data: Value } | { success: false } },
  value: string,
  name: string,
  allowed: string,
): Value {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : refuse(`${name} ${value} is not known. It takes: ${allowed}.`)
}

function refuse(what: string): never {
  throw new PlumblineError('invalid_arguments', `${what}\n${launchUsage}`)
}
