import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import type { Writable } from 'node:stream'
import type { ProviderStatus } from '../../preload/contract/provider'
import type { SettingsIssue } from '../../preload/contract/settings'
import { registerLanguages } from '../syntax/register-languages'
import { ExitCode } from './arguments'
import { writeText } from './output'
import { issueText } from './settings-issue'

/** One subject of the report. `mend` is a command or an act, said only where something is missing. */
export interface Finding {
  subject: string
  state: 'works' | 'missing' | 'optional'
  detail: string
  mend?: string
}

/** What the report asks of the services. */
export interface DoctorParts {
  credentials: { status(): Promise<{ available: boolean; label: string }> }
  sandbox: { availability(): Promise<{ files: boolean; reason: string | undefined }> }
  providers: { discover(): Promise<ProviderStatus[]> }
  settings: { readonly file: string; readonly issues: readonly SettingsIssue[] }
  /** The program's own folder. */
  appRoot: string
  /** Where Electron runtimes are kept for all checkouts. */
  cacheFolder: string
}

/** Languages whose servers are looked for on the PATH. */
const LANGUAGE_SERVERS = ['typescript-language-server', 'rust-analyzer', 'pyright-langserver', 'gopls']

/** `plumbline doctor`: one line a subject; what is missing comes with what mends it. Exit code 1 when something is. */
export async function diagnose(parts: DoctorParts, output: Writable): Promise<number> {
  const findings = await examine(parts)
  for (const finding of findings) await writeText(output, line(finding))
  return findings.some((finding) => finding.state === 'missing') ? ExitCode.failed : ExitCode.done
}

function line({ subject, state, detail, mend }: Finding): string {
  const mark = { works: 'ok     ', missing: 'missing', optional: '-      ' }[state]
  return `${mark}  ${subject.padEnd(18)} ${detail}${mend === undefined ? '' : `\n${' '.repeat(28)}mend: ${mend}`}\n`
}

async function examine(parts: DoctorParts): Promise<Finding[]> {
  const [keychain, sandbox, providers, runtime, servers] = await Promise.all([
    parts.credentials.status(),
    parts.sandbox.availability(),
    parts.providers.discover(),
    electronRuntime(parts),
    languageServers(),
  ])
  return [
    nodeVersion(process.versions.node),
    runtime,
    display(process.platform, process.env),
    keychain.available
      ? { subject: 'Keychain', state: 'works', detail: keychain.label }
      : { subject: 'Keychain', state: 'missing', detail: keychain.label, mend: keychainMend(process.platform) },
    sandbox.files
      ? { subject: 'Sandbox', state: 'works', detail: 'commands are held by bubblewrap' }
      : {
          subject: 'Sandbox',
          state: 'missing',
          detail: sandbox.reason ?? 'not enforced here',
          mend: sandboxMend(process.platform),
        },
    native('PTY', 'node-pty', 'npm rebuild node-pty'),
    grammars(),
    ...settingsFindings(parts.settings),
    ...servers,
    ...providers.filter((provider) => provider.type !== 'scripted').map(providerFinding),
  ]
}

function settingsFindings({ file, issues }: DoctorParts['settings']): Finding[] {
  if (issues.length === 0) return [{ subject: 'Settings', state: 'works', detail: file }]
  return issues.map((issue) => ({
    subject: 'Settings',
    state: 'missing',
    detail: issueText(issue),
    mend: 'correct that line; until then it does not count',
  }))
}

/** Node 20.19 is the oldest that everything runs on. */
export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return { subject: 'Node', state: 'works', detail: version }
  return { subject: 'Node', state: 'missing', detail: `${version} is too old`, mend: 'install Node 20.19 or newer' }
}

/** Without a display the window can't open; the terminal program works all the same. */
export function display(platform: NodeJS.Platform, env: Readonly<Record<string, string | undefined>>): Finding {
  if (platform === 'darwin' || platform === 'win32')
    return { subject: 'Display', state: 'works', detail: 'of the system' }
  const shown = env.WAYLAND_DISPLAY ? `Wayland ${env.WAYLAND_DISPLAY}` : env.DISPLAY && `X11 ${env.DISPLAY}`
  if (shown) return { subject: 'Display', state: 'works', detail: shown }
  return {
    subject: 'Display',
    state: 'missing',
    detail: 'neither DISPLAY nor WAYLAND_DISPLAY is set',
    mend: 'start it from a desktop, or with xvfb-run',
  }
}

async function electronRuntime({ appRoot, cacheFolder }: DoctorParts): Promise<Finding> {
  const places = [path.join(appRoot, 'node_modules', 'electron', 'path.txt'), path.join(cacheFolder, 'electron')]
  const found = await Promise.all(places.map(isThere))
  if (found.some(Boolean))
    return {
      subject: 'Electron runtime',
      state: 'works',
      detail: found[0] ? 'official' : 'copy from the package registry',
    }
  return {
    subject: 'Electron runtime',
    state: 'missing',
    detail: 'not made ready yet',
    mend: 'node resources/build/electron-path.mjs',
  }
}

async function languageServers(): Promise<Finding[]> {
  return Promise.all(
    LANGUAGE_SERVERS.map(async (name): Promise<Finding> => {
      const found = await onPath(name)
      return {
        subject: 'Language server',
        state: found ? 'works' : 'optional',
        detail: found ? name : `${name} is not installed`,
      }
    }),
  )
}

function grammars(): Finding {
  const loaded = registerLanguages()
  if (loaded.size > 0) return { subject: 'Grammars', state: 'works', detail: `${loaded.size} languages` }
  return { subject: 'Grammars', state: 'missing', detail: 'none could be loaded', mend: 'npm ci' }
}

function native(subject: string, module: string, mend: string): Finding {
  try {
    createRequire(import.meta.url)(module)
    return { subject, state: 'works', detail: module }
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message.split('\n', 1)[0] : 'it does not load'
    return { subject, state: 'missing', detail: `${module}: ${reason}`, mend }
  }
}

function providerFinding(provider: ProviderStatus): Finding {
  const subject = provider.local ? 'Model server' : 'Provider key'
  if (provider.local) {
    return provider.reachable
      ? {
          subject,
          state: 'works',
          detail: `${provider.label} at ${provider.baseUrl}, ${provider.models.length} models`,
        }
      : { subject, state: 'optional', detail: `${provider.label}: nothing answers at ${provider.baseUrl}` }
  }
  if (provider.key === 'missing') {
    return {
      subject,
      state: 'optional',
      detail: `${provider.label}: none${provider.keyName ? `; ${provider.keyName} is not set` : ''}`,
    }
  }
  return {
    subject,
    state: 'works',
    detail: `${provider.label}: ${provider.key}${provider.keyName ? ` ${provider.keyName}` : ''}`,
  }
}

function keychainMend(platform: NodeJS.Platform): string {
  return platform === 'linux'
    ? 'install and unlock a Secret Service such as gnome-keyring; until then keys stay in memory'
    : 'npm rebuild keytar'
}

function sandboxMend(platform: NodeJS.Platform): string {
  return platform === 'linux' ? 'install bubblewrap' : 'none here: commands ask each time and say "unsandboxed"'
}

async function onPath(name: string): Promise<boolean> {
  const suffixes = os.platform() === 'win32' ? ['.cmd', '.exe'] : ['']
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const found = await Promise.all(
    folders.flatMap((folder) => suffixes.map((suffix) => isThere(path.join(folder, name + suffix)))),
  )
  return found.some(Boolean)
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
