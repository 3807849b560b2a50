import type { Dispatcher, Response as WireResponse } from 'undici'
import { abortError } from '../platform/clock'
import { isAbort } from '../platform/errors'
import { brokenStream, failureOfConnection, failureOfStatus, parseRetryAfter, toProviderFailure } from './failures'
import { isRecord, type StreamJudge } from './judge'
import { isLoopback } from './loopback-address'
import { SseSplitter } from './sse'
import type { WireObserver } from './types'

/** Of an error's body; the rest says nothing more. */
const MAX_ERROR_BODY_BYTES = 64 * 1024

/** Longest wait for what may follow a whole answer, such as its usage. */
const TRAILER_MS = 2000

/** Longest wait for the connection itself. */
const MAX_DIAL_MS = 10_000

/** Loaded with the first request: a start that asks nobody needs none of it. */
const loadUndici = () => import('undici')

/** What a request needs besides its text. */
export interface WireOptions {
  /** The provider's name, for messages. */
  name: string
  baseUrl: string
  dispatcher: Dispatcher
  /** Set last, over everything that a package sets. A null removes a header. */
  headers: Readonly<Record<string, string | null>>
  /** Where the key came from, in words. */
  keyOrigin?: string | undefined
  judge: StreamJudge
  observer?: WireObserver | undefined
  now(): number
}

/**
 * A `fetch` for one streamed request: no redirects, HTTP errors as failures of the closed set, and a body in which
 * only known events are left. The body ends in an error unless the wire's final event came, so that a package can't
 * take a cut stream for a whole one.
 */
export function wireFetch(options: WireOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    for (const [name, value] of Object.entries(options.headers)) {
      if (value === null) headers.delete(name)
      else headers.set(name, value)
    }
    const response = await send(options, input instanceof Request ? input.url : String(input), {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(headers),
      body: typeof init?.body === 'string' ? init.body : null,
      signal: init?.signal ?? null,
    })
    options.observer?.answered()
    if (!response.ok) throw await refusal(options, response)
    return new Response(judged(options, response), { status: 200, headers: { 'content-type': 'text/event-stream' } })
  }
}

interface WireRequest {
  method: string
  headers: Record<string, string>
  body: string | null
  signal: AbortSignal | null
}

async function send(options: WireOptions, url: string, request: WireRequest): Promise<WireResponse> {
  const { fetch } = await loadUndici()
  try {
    return await fetch(url, { ...request, dispatcher: options.dispatcher, redirect: 'manual' })
  } catch (thrown) {
    if (isAbort(thrown) || request.signal?.aborted) throw abortError()
    throw failureOfConnection(options.name, options.baseUrl, thrown)
  }
}

async function refusal(options: WireOptions, response: WireResponse): Promise<Error> {
  const body = await readStart(response)
  return failureOfStatus(options.name, {
    status: response.status,
    body,
    retryAfterMs: parseRetryAfter(response.headers, options.now()),
    keyOrigin: options.keyOrigin,
  })
}

/** The beginning of a body as text. */
async function readStart(response: WireResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      if (!(chunk instanceof Uint8Array)) continue
      chunks.push(chunk)
      length += chunk.byteLength
      if (length >= MAX_ERROR_BODY_BYTES) break
    }
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown
    // The status alone tells enough.
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, MAX_ERROR_BODY_BYTES)
}

function judged(options: WireOptions, response: WireResponse): ReadableStream<Uint8Array> {
  const reader = response.body?.getReader()
  const splitter = new SseSplitter()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const leave = () => void reader?.cancel().catch(() => undefined)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (;;) {
          const next = await readNext(options, reader)
          const ended = next === undefined
          const { kept, over } = sift(options, ended ? splitter.end() : splitter.push(decode(decoder, next, options)))
          if (kept !== '') controller.enqueue(encoder.encode(kept))
          if (ended && !options.judge.whole) throw brokenStream(options.name, 'it ended without its final event')
          if (over || ended) {
            controller.close()
            leave()
            return
          }
          if (kept !== '') return
        }
      } catch (thrown) {
        controller.error(bodyFailure(options, thrown))
        leave()
      }
    },
    async cancel() {
      await reader?.cancel()
    },
  })
}

interface Reader {
  read(): Promise<{ done: boolean; value?: unknown }>
}

/**
 * The next bytes; undefined at the end. Once the answer is whole nothing that goes wrong counts any more, and a
 * connection that is left open is not waited for.
 */
async function readNext(options: WireOptions, reader: Reader | undefined): Promise<unknown> {
  if (reader === undefined) return undefined
  if (!options.judge.whole) return bytesOf(await reader.read())
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, TRAILER_MS, undefined)
  })
  try {
    return await Promise.race([reader.read().then(bytesOf, () => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}

function bytesOf(result: Awaited<ReturnType<Reader['read']>>): unknown {
  return result.done ? undefined : result.value
}

function decode(decoder: TextDecoder, chunk: unknown, options: WireOptions): string {
  if (!(chunk instanceof Uint8Array)) return ''
  options.observer?.bytes(chunk.byteLength)
  return decoder.decode(chunk, { stream: true })
}

/** The events that may pass, as text again; throws for an event that ends the attempt. */
function sift(options: WireOptions, events: readonly string[]): { kept: string; over: boolean } {
  let kept = ''
  for (const data of events) {
    if (data === '[DONE]') return { kept, over: options.judge.whole }
    const verdict = options.judge.judge(parse(options, data))
    if (verdict === 'drop') continue
    if (verdict !== 'pass') throw verdict
    // JSON has no line breaks outside strings once it is printed again.
    kept += `data: ${data.includes('\n') ? JSON.stringify(JSON.parse(data)) : data}\n\n`
    if (options.judge.over) return { kept, over: true }
  }
  return { kept, over: false }
}

function parse(options: WireOptions, data: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    throw brokenStream(options.name, 'there was an event that is not JSON')
  }
  if (!isRecord(value)) throw brokenStream(options.name, 'there was an event that is no object')
  return value
}

function bodyFailure(options: WireOptions, thrown: unknown): unknown {
  const failure = toProviderFailure(options.name, options.baseUrl, thrown)
  // A connection that is lost after the headers is a broken stream, whatever the socket called it.
  if (
    failure instanceof Error &&
    'code' in failure &&
    failure.code === 'provider_unavailable' &&
    !isFromEvent(failure)
  ) {
    return brokenStream(options.name, 'the connection was lost')
  }
  return failure
}

function isFromEvent(failure: Error): boolean {
  return 'context' in failure && isRecord(failure.context) && 'kind' in failure.context
}

/** Connections to one provider. On this machine never through a proxy; elsewhere as the environment says. */
export async function dispatcherFor(baseUrl: string, connectMs: number): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await loadUndici()
  const settings = {
    connect: { timeout: Math.min(connectMs, MAX_DIAL_MS) },
    // The watchdog counts; it knows the provider's own limits.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
  }
  return isLoopback(baseUrl) ? new Agent(settings) : new EnvHttpProxyAgent(settings)
}

/** A small JSON answer, such as a list of models. Throws failures of the closed set. */
export async function getJson(
  url: string,
  options: Omit<WireOptions, 'judge' | 'observer'> & { signal: AbortSignal; maxBytes: number },
): Promise<unknown> {
  const headers = Object.fromEntries(
    Object.entries(options.headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
  const wire = { ...options, judge: { judge: () => 'drop' as const, whole: true, over: false } }
  const response = await send(wire, url, { method: 'GET', headers, body: null, signal: options.signal })
  if (!response.ok) throw await refusal(wire, response)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    if (!(chunk instanceof Uint8Array)) continue
    length += chunk.byteLength
    if (length > options.maxBytes) throw brokenStream(options.name, `the list is over ${options.maxBytes} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw brokenStream(options.name, 'the list is not JSON')
  }
}
