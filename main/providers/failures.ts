import type { ErrorCode } from '../../preload/contract/errors'
import { isAbort, PlumblineError } from '../platform/errors'

/** Characters of a provider's own words that a message repeats. */
const MAX_QUOTED_CHARACTERS = 300

/** Longest wait that a provider may ask for; above it the person decides. */
export const MAX_RETRY_AFTER_MS = 60_000

const RETRIED: ReadonlySet<ErrorCode> = new Set([
  'provider_rate_limited',
  'provider_unavailable',
  'provider_timeout',
  'provider_stream_broken',
])

/** What a provider said about a failed request, in its own terms. */
export interface ProviderAnswer {
  status: number
  /** The body, or the message inside it. */
  body?: string | undefined
  retryAfterMs?: number | undefined
  /** Where the key came from, in words; for refused keys. */
  keyOrigin?: string | undefined
}

/** The failure of an HTTP answer: a code to switch on and a sentence in the words of the person. `name` is the provider's. */
export function failureOfStatus(name: string, answer: ProviderAnswer): PlumblineError {
  const { status } = answer
  const said = quote(messageIn(answer.body))
  const context = { status, retryAfterMs: answer.retryAfterMs, body: answer.body?.slice(0, 2000), said }
  const fail = (code: ErrorCode, message: string) => new PlumblineError(code, message, { context })
  if (status === 401) {
    return fail('provider_auth', [`${name} refused the key (401).`, answer.keyOrigin, said].filter(Boolean).join(' '))
  }
  if (status === 403)
    return fail('provider_auth', `${name} does not allow this with the key in use (403). ${said}`.trim())
  if (status === 402) return fail('provider_auth', `${name} wants to be paid first (402). ${said}`.trim())
  if (status === 404)
    return fail('provider_invalid_request', `${name} does not know this model or address (404). ${said}`.trim())
  if (status === 429) return fail('provider_rate_limited', `${name} limits the rate (429). ${said}`.trim())
  if (status === 408) return fail('provider_timeout', `${name} gave up waiting for the request (408). ${said}`.trim())
  if (status === 529) return fail('provider_unavailable', `${name} is overloaded (529). ${said}`.trim())
  if (status >= 500) return fail('provider_unavailable', `${name} failed on its side (${status}). ${said}`.trim())
  if (status >= 300 && status < 400) {
    return fail(
      'provider_invalid_request',
      `${name} answers with a redirect (${status}). Set its target as baseUrl. ${said}`.trim(),
    )
  }
  return fail('provider_invalid_request', `${name} refused the request (${status}). ${said}`.trim())
}

/** The failure of a connection that never gave an answer. */
export function failureOfConnection(name: string, baseUrl: string, thrown: unknown): PlumblineError {
  const reason = deepestMessage(thrown)
  return new PlumblineError('provider_unavailable', `No connection to ${name} at ${baseUrl}: ${reason}.`, {
    context: { reason },
  })
}

/** A stream that ended or went wrong before its final event. */
export function brokenStream(name: string, what: string): PlumblineError {
  return new PlumblineError('provider_stream_broken', `The answer of ${name} broke off: ${what}.`)
}

/**
 * An error that the provider sent inside a stream. `kind` is its own type or code, such as `overloaded_error` or
 * `rate_limit_exceeded`.
 */
export function failureOfStreamError(name: string, kind: string, message: string): PlumblineError {
  const said = quote(message)
  const context = { kind, said }
  const fail = (code: ErrorCode, what: string) =>
    new PlumblineError(code, `${name} ${what} ${said}`.trim(), { context })
  if (/rate_?limit|too_many/i.test(kind)) return fail('provider_rate_limited', `limits the rate (${kind}).`)
  if (/overloaded/i.test(kind)) return fail('provider_unavailable', `is overloaded (${kind}).`)
  if (/auth|permission|api_key/i.test(kind)) return fail('provider_auth', `refused the key (${kind}).`)
  if (/invalid|not_found|context_length|image|policy|quota|billing/i.test(kind)) {
    return fail('provider_invalid_request', `refused the request (${kind}).`)
  }
  return fail('provider_unavailable', `failed in the middle of its answer (${kind}).`)
}

/** True for what may be better on the next attempt: 429, 5xx, time-outs, broken streams, lost connections. */
export function isWorthRetrying(thrown: unknown): thrown is PlumblineError {
  if (!(thrown instanceof PlumblineError) || !RETRIED.has(thrown.code)) return false
  const wait = retryAfterOf(thrown)
  return wait === undefined || wait <= MAX_RETRY_AFTER_MS
}

/** Milliseconds that the provider asked to wait, when it did. */
export function retryAfterOf(failure: PlumblineError): number | undefined {
  const { retryAfterMs } = failure.context
  return typeof retryAfterMs === 'number' ? retryAfterMs : undefined
}

/** Reads `retry-after-ms` and `retry-after` (seconds or a date). */
export function parseRetryAfter(headers: { get(name: string): string | null }, now: number): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds
  const header = headers.get('retry-after')
  if (header === null) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Finds our own failure in a chain of causes, where a library wrapped it; undefined when there is none. */
export function unwrapFailure(thrown: unknown): PlumblineError | undefined {
  let current = thrown
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof PlumblineError) return current
    current = current.cause
  }
  return undefined
}

/** Turns whatever a provider's package threw into a failure of the closed set. Aborts pass as they are. */
export function toProviderFailure(name: string, baseUrl: string, thrown: unknown): unknown {
  const own = unwrapFailure(thrown)
  if (own !== undefined) return own
  if (isAbort(thrown)) return thrown
  if (systemCodeOf(thrown) !== undefined) return failureOfConnection(name, baseUrl, thrown)
  return brokenStream(name, quote(deepestMessage(thrown)) || 'an event could not be read')
}

function systemCodeOf(thrown: unknown): string | undefined {
  let current = thrown
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code
    current = current.cause
  }
  return undefined
}

function deepestMessage(thrown: unknown): string {
  let current = thrown
  let message = ''
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    const inner: unknown = current instanceof AggregateError ? current.errors[0] : current.cause
    message = current.message || message
    current = inner
  }
  return message || String(thrown)
}

/** The sentence inside a JSON error body, or the body itself. */
function messageIn(body: string | undefined): string {
  if (body === undefined) return ''
  try {
    return findMessage(JSON.parse(body)) ?? body
  } catch {
    // HTML pages of proxies say nothing to people.
    return /^\s*</.test(body) ? '' : body
  }
}

function findMessage(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  if ('error' in value) return findMessage(value.error)
  if ('message' in value) return findMessage(value.message)
  if ('detail' in value) return findMessage(value.detail)
  return undefined
}

function quote(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length > MAX_QUOTED_CHARACTERS ? `${flat.slice(0, MAX_QUOTED_CHARACTERS)}…` : flat
}
