import { access, constants } from 'node:fs/promises'
import path from 'node:path'

/** A shell and how it takes a command as one argument. */
export interface Shell {
  readonly file: string
  readonly name: 'bash' | 'sh'
}

const POSIX_BASH: readonly string[] = [
  '/bin/bash',
  '/usr/bin/bash',
  '/usr/local/bin/bash',
  '/opt/homebrew/bin/bash',
  '/run/current-system/sw/bin/bash',
]

const WINDOWS_BASH: readonly string[] = ['Git\\bin\\bash.exe', 'Programs\\Git\\bin\\bash.exe']

export interface ShellOptions {
  platform?: NodeJS.Platform
  env?: Readonly<Record<string, string | undefined>>
  exists?(file: string): Promise<boolean>
}

/** The shell that commands run in: bash, else (POSIX) `/bin/sh`; undefined where there is none (Windows without Git). */
export async function findShell(options: ShellOptions = {}): Promise<Shell | undefined> {
  const platform = options.platform ?? process.platform
  const env = options.env ?? process.env
  const exists = options.exists ?? canRun
  const candidates =
    platform === 'win32'
      ? [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
          folder === undefined ? [] : WINDOWS_BASH.map((name) => path.win32.join(folder, name)),
        )
      : POSIX_BASH
  for (const file of candidates) if (await exists(file)) return { file, name: 'bash' }
  return platform === 'win32' ? undefined : { file: '/bin/sh', name: 'sh' }
}

/**
 * Reports the last working folder on descriptor 3 without touching the command: it is an argument of its own, so any
 * last line is fine (S22). The descriptor moves out of the way of commands that use small numbers themselves.
 */
const REPORT_FOLDER = `exec 62>&3 3>&-
trap 'pwd -P >&62' EXIT
plumbline_command=$1
shift
eval "$plumbline_command"`

/** The arguments that make a shell run `command`; with `reportFolder` its last folder comes out on descriptor 3. */
export function shellArguments(shell: Shell, command: string, reportFolder = false): string[] {
  if (!reportFolder || shell.name !== 'bash') return ['-c', command]
  return ['-c', REPORT_FOLDER, shell.name, command]
}

/** The program a person's terminal starts: theirs, else the system's. */
export function personShell(
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (platform === 'win32') return env.COMSPEC ?? 'cmd.exe'
  return env.SHELL && path.posix.isAbsolute(env.SHELL) ? env.SHELL : '/bin/sh'
}

async function canRun(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}
