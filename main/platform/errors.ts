import type { ErrorCode, Failure } from '../../preload/contract/errors'

/**
 * The one error class of the program. `message` is for people (and, in a tool, for the model): it says what happened,
 * what is safe and what to do next. `context` goes to the log only.
 */
export class PlumblineError extends Error {
  override readonly name = 'PlumblineError'
  readonly code: ErrorCode
  readonly context: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; context?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.context = options.context ?? {}
  }
}

/** Turns anything that was thrown into a code and a message; unknown errors become `internal`, aborts `aborted`. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof PlumblineError) return { code: thrown.code, message: thrown.message }
  if (isAbort(thrown)) return { code: 'aborted', message: 'Operation aborted' }
  if (isSystemError(thrown)) return { code: systemErrorCode(thrown.code), message: systemErrorWords(thrown) }
  return { code: 'internal', message: thrown instanceof Error ? thrown.message : String(thrown) }
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError'
}

/** An error of the operating system: `code` is `ENOENT`, `EACCES` and so on. */
export function isSystemError(thrown: unknown): thrown is Error & { code: string } {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
}

function systemErrorCode(code: string): ErrorCode {
  switch (code) {
    case 'ENOENT':
      return 'not_found'
    case 'EACCES':
    case 'EPERM':
      return 'access_denied'
    case 'EISDIR':
      return 'is_directory'
    case 'ENOTDIR':
      return 'not_a_directory'
    default:
      return 'io'
  }
}

/** The system's error in a sentence that names what it is about; what has no words of its own keeps the system's. */
function systemErrorWords(failure: Error & { code: string }): string {
  const what = 'path' in failure && typeof failure.path === 'string' ? failure.path : undefined
  switch (failure.code) {
    case 'ENOENT':
      return what === undefined ? failure.message : `${what} does not exist.`
    case 'EACCES':
    case 'EPERM':
      return what === undefined ? failure.message : `Access to ${what} is denied.`
    case 'EROFS':
      return `${what ?? 'The file'} is on a read-only file system.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no space left on the disk${what === undefined ? '' : ` of ${what}`}.`
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open. Close programs or raise the limit of open files.'
    default:
      return failure.message
  }
}

/** Makes a switch exhaustive: it does not compile while a case is missing. */
export function assertNever(value: never): never {
  throw new PlumblineError('internal', `Unexpected value ${JSON.stringify(value)}`)
}
