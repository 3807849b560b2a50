import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'

/** How a turn goes wrong. A fault without `times` happens once; the same turn is then answered well. */
export type LoopbackFault = { times?: number } & (
  | { kind: 'status'; status: number; retryAfterMs?: number; body?: string }
  /** So many events (half of them by default), then the connection is destroyed, ended as if all were well, or left. */
  | { kind: 'cut'; how: 'reset' | 'end' | 'leave-open'; after?: number }
  /** Everything except the event that makes the answer whole. */
  | { kind: 'no-finish' }
  | { kind: 'garbage' }
  | { kind: 'silent'; when: 'before-headers' | 'mid-stream' }
  /** Bytes without meaning for ever. */
  | { kind: 'keep-alive'; everyMs: number }
  /** Text without end, until the reader goes. */
  | { kind: 'huge'; chunkBytes?: number }
  | { kind: 'error-event'; type: string; message: string }
)

export interface LoopbackCall {
  tool: string
  args?: unknown
  /** Sent as it is, JSON or not. */
  raw?: string
  id?: string
}

/** One answer of the model. */
export interface LoopbackTurn {
  reasoning?: string
  text?: string
  calls?: LoopbackCall[]
  usage?: { input: number; output: number; cachedInput?: number; reasoning?: number }
  stop?: 'length' | 'refused'
  /** Milliseconds between events. */
  chunkMs?: number
  /** Characters of a piece; 8 by default. */
  chunkChars?: number
  /** Event types that nobody knows are mixed in. */
  unknownEvents?: boolean
  fault?: LoopbackFault
}

export interface LoopbackRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

export type LoopbackAnswer = LoopbackTurn | ((request: LoopbackRequest) => LoopbackTurn)

export interface LoopbackOptions {
  /** Answered in order, one a request; afterwards "Done.". */
  turns?: LoopbackAnswer[]
  /** Requests without this key are refused with 401. */
  key?: string
  models?: string[]
  /** 0 picks a free one. */
  port?: number
}

/** A model server on this machine. */
export interface Loopback {
  /** The base URL as the vendor's own client takes it. */
  readonly baseUrl: string
  readonly origin: string
  /** Every request that came in, faults included. */
  readonly requests: LoopbackRequest[]
  /** Requests whose reader went away before the end. */
  readonly aborted: () => number
  add(...turns: LoopbackAnswer[]): void
  close(): Promise<void>
}

export interface WireEvent {
  event?: string
  data: unknown
  /** The event that makes the answer whole, and what follows it. */
  final?: boolean
}

/** What one wire format adds to the server that all share. */
export interface WireFormat {
  /** The path of streamed requests. */
  streamPath: string
  modelsPath: string
  basePath: string
  keyOf(headers: IncomingHttpHeaders): string | undefined
  models(ids: string[]): unknown
  events(
    turn: LoopbackTurn,
    context: { turnNumber: number; model: string; pieces(text: string): string[] },
  ): WireEvent[]
  unknown(): WireEvent
  error(type: string, message: string): WireEvent
  /** One event of text, for streams without end. */
  filler(text: string): WireEvent
  errorBody(status: number, message: string): unknown
}

export async function startLoopback(format: WireFormat, options: LoopbackOptions): Promise<Loopback> {
  const state = { turns: [...(options.turns ?? [])], failed: 0, number: 0, aborted: 0 }
  const requests: LoopbackRequest[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const received = { method: request.method ?? '', path, headers: request.headers, body: await readJson(request) }
    requests.push(received)
    response.on('close', () => {
      if (!response.writableFinished) state.aborted += 1
    })
    if (options.key !== undefined && format.keyOf(request.headers) !== options.key) {
      refuse(format, response, { kind: 'status', status: 401, body: undefined })
    } else if (path === format.modelsPath) {
      json(response, 200, format.models(options.models ?? ['m1']))
    } else if (path === format.streamPath) {
      await stream(format, response, received, nextTurn(received), state.number)
    } else json(response, 404, format.errorBody(404, `no ${path}`))
  }

  /** Faults repeat their turn; without one the turn is used up. */
  function nextTurn(request: LoopbackRequest): LoopbackTurn {
    const next = state.turns[0] ?? { text: 'Done.' }
    const turn = typeof next === 'function' ? next(request) : next
    if (turn.fault !== undefined && state.failed < (turn.fault.times ?? 1)) {
      state.failed += 1
      return turn
    }
    state.turns.shift()
    state.failed = 0
    state.number += 1
    const { fault: _over, ...well } = turn
    return well
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The loopback server has no port')
  const origin = `http://127.0.0.1:${address.port}`
  return {
    origin,
    baseUrl: `${origin}${format.basePath}`,
    requests,
    aborted: () => state.aborted,
    add: (...turns) => void state.turns.push(...turns),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function stream(
  format: WireFormat,
  response: ServerResponse,
  request: LoopbackRequest,
  turn: LoopbackTurn,
  turnNumber: number,
): Promise<void> {
  const { fault } = turn
  if (fault?.kind === 'status') return refuse(format, response, fault)
  if (fault?.kind === 'silent' && fault.when === 'before-headers') return
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const size = turn.chunkChars ?? 8
  const model = typeof request.body.model === 'string' ? request.body.model : ''
  const events = format.events(turn, { turnNumber, model, pieces: (text) => chop(text, size) })
  const cut = fault?.kind === 'cut' ? fault.after : undefined
  const all = fault === undefined || fault.kind === 'no-finish'
  const upTo = all ? events.length : (cut ?? Math.ceil(events.length / 2))
  for (const event of events.slice(0, upTo)) {
    if (fault?.kind === 'no-finish' && event.final === true) continue
    if (turn.unknownEvents === true) await write(response, format.unknown())
    await write(response, event)
    if (turn.chunkMs !== undefined) await pause(turn.chunkMs)
    if (response.destroyed) return
  }
  if (fault === undefined || fault.kind === 'no-finish') response.end()
  else await goWrong(format, response, fault)
}

async function goWrong(format: WireFormat, response: ServerResponse, fault: LoopbackFault): Promise<void> {
  switch (fault.kind) {
    case 'cut':
      if (fault.how === 'end') response.end()
      if (fault.how === 'reset') setTimeout(() => response.destroy(), 20)
      return
    case 'garbage':
      response.end('data: {"type":"resp\u0000nse.output_te\n\nxx\n\n')
      return
    case 'error-event':
      await write(response, format.error(fault.type, fault.message))
      response.end()
      return
    case 'keep-alive': {
      const timer = setInterval(() => response.write(': still here\n\n'), fault.everyMs)
      response.on('close', () => clearInterval(timer))
      return
    }
    case 'huge': {
      const event = format.filler('x'.repeat(fault.chunkBytes ?? 64 * 1024))
      while (!response.destroyed) await write(response, event)
      return
    }
    default:
      return
  }
}

function refuse(
  format: WireFormat,
  response: ServerResponse,
  fault: { kind: 'status'; status: number; retryAfterMs?: number; body?: string | undefined },
): void {
  const headers: Record<string, string> =
    fault.retryAfterMs === undefined ? {} : { 'retry-after-ms': String(fault.retryAfterMs) }
  if (fault.body === undefined)
    json(response, fault.status, format.errorBody(fault.status, `refused with ${fault.status}`), headers)
  else response.writeHead(fault.status, { 'content-type': 'application/json', ...headers }).end(fault.body)
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function write(response: ServerResponse, { event, data }: WireEvent): Promise<void> {
  const name = event === undefined ? '' : `event: ${event}\n`
  const text = `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  if (response.write(text)) return
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.once('drain', go)
    response.once('close', go)
  })
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString('utf8')
  const value: unknown = text === '' ? {} : JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function chop(text: string, size: number): string[] {
  const characters = [...text]
  const pieces: string[] = []
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''))
  return pieces
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The argument text of a call. */
export function argumentText(call: LoopbackCall): string {
  return call.raw ?? JSON.stringify(call.args ?? {})
}
