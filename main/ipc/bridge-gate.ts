import { z } from 'zod'
import {
  type CallDefinition,
  channelName,
  type DomainDefinition,
  type Envelope,
  MAX_SUBSCRIPTIONS,
  type RequestDefinition,
  type StreamDefinition,
  streamChannels,
} from '../../preload/contract/rpc'
import type { Disposer } from '../platform/disposer'
import { PlumblineError, toFailure } from '../platform/errors'
import { OutgoingStream, type StreamSink } from './outgoing-stream'

/** The part of a window's contents that the gate uses. */
export interface BridgeSender {
  readonly id: number
  isDestroyed(): boolean
  send(channel: string, message: unknown): void
}

export interface BridgeEvent {
  readonly sender: BridgeSender
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null
}

/** The main side of the wire; Electron's `ipcMain`, or a fake in tests. */
export interface IpcPort {
  handle(channel: string, listener: (event: BridgeEvent, message: unknown) => Promise<unknown>): void
  on(channel: string, listener: (event: BridgeEvent, message: unknown) => void): void
  removeHandler(channel: string): void
  removeAllListeners(channel: string): void
}

/** The window that a call came from. */
export interface Caller {
  readonly window: number
}

export interface BridgeLog {
  debug(message: string, fields: Record<string, unknown>): void
  warn(message: string, fields: Record<string, unknown>): void
}

export interface BridgeGateOptions {
  port: IpcPort
  /** Whether the frame is the main frame of one of our windows, showing our own page. */
  isTrusted(event: BridgeEvent): boolean
  log: BridgeLog
  /** Milliseconds, for the timing of calls. */
  now(): number
}

type RequestHandler<Args extends z.ZodType, Result extends z.ZodType> = (
  args: z.output<Args>,
  caller: Caller,
) => z.input<Result> | Promise<z.input<Result>>

type StreamHandler<Args extends z.ZodType, Item extends z.ZodType> = (
  args: z.output<Args>,
  sink: StreamSink<z.input<Item>>,
  caller: Caller,
) => Disposer | Promise<Disposer>

/** One handler for each verb of a domain; a missing or a surplus one does not compile. */
export type DomainHandlers<Calls extends Record<string, CallDefinition>> = {
  readonly [Verb in keyof Calls]: Calls[Verb] extends StreamDefinition<infer Args, infer Item>
    ? StreamHandler<Args, Item>
    : Calls[Verb] extends RequestDefinition<infer Args, infer Result>
      ? RequestHandler<Args, Result>
      : never
}

const OpenMessage = z.object({ subscription: z.string().min(1).max(64), args: z.unknown() })
const SubscriptionMessage = z.object({ subscription: z.string().min(1).max(64) })

/**
 * The one door between the windows and the main process. For every call: who asks, does the payload fit its schema,
 * then the handler, then an envelope with a code of the closed set; each is timed in the log. A refused call is an
 * answer and never a silent undefined. Results are parsed too, so that a field outside the contract does not leave.
 * Streams wait for the window: see `OutgoingStream`.
 */
export class BridgeGate {
  readonly #options: BridgeGateOptions
  readonly #streams = new Map<number, Map<string, OutgoingStream<unknown>>>()
  readonly #closers: (() => void)[] = []

  constructor(options: BridgeGateOptions) {
    this.#options = options
  }

  /** Registers a whole domain. Throws when one of its channels is taken. */
  handle<Calls extends Record<string, CallDefinition>>(
    domain: DomainDefinition<Calls>,
    handlers: DomainHandlers<Calls>,
  ): void {
    for (const [verb, call] of Object.entries<CallDefinition>(domain.calls)) {
      // The mapped type has tied each handler to its schemas; from here on the schemas alone decide what passes.
      const handler = handlers[verb] as never
      if (call.kind === 'request') this.#request(domain.name, verb, call, handler)
      else this.#stream(domain.name, verb, call, handler)
    }
  }

  /** Ends all streams of a window: it closed, crashed or loads its page again. */
  endStreams(window: number): void {
    for (const stream of this.#streams.get(window)?.values() ?? []) stream.close()
    this.#streams.delete(window)
  }

  /** Streams that are open, for tests and the log. */
  get streamCount(): number {
    let count = 0
    for (const streams of this.#streams.values()) count += streams.size
    return count
  }

  dispose(): void {
    for (const window of [...this.#streams.keys()]) this.endStreams(window)
    for (const close of this.#closers.splice(0)) close()
  }

  #request(domain: string, verb: string, call: RequestDefinition, handler: RequestHandler<z.ZodType, z.ZodType>): void {
    const channel = channelName(domain, verb)
    this.#answer(channel, async (event, message) => {
      const args = parsePayload(call.args, message, channel)
      const result = await handler(args, { window: event.sender.id })
      return call.result.parse(result)
    })
  }

  #stream(domain: string, verb: string, call: StreamDefinition, handler: StreamHandler<z.ZodType, z.ZodType>): void {
    const channels = streamChannels(domain, verb)
    this.#answer(channels.open, async (event, message) => {
      const { subscription, args: payload } = parsePayload(OpenMessage, message, channels.open)
      const args = parsePayload(call.args, payload, channels.open)
      const stream = this.#subscribe(event.sender, `${channels.item} ${subscription}`, {
        item: (item) => post(event.sender, channels.item, { subscription, item }),
        ended: (failure) => post(event.sender, channels.ended, { subscription, failure }),
      })
      try {
        stream.own(await handler(args, stream, { window: event.sender.id }))
      } catch (thrown) {
        stream.close()
        throw thrown
      }
    })
    this.#listen(channels.ack, (window, subscription) => this.#find(window, channels.item, subscription)?.acknowledge())
    this.#listen(channels.cancel, (window, subscription) => this.#find(window, channels.item, subscription)?.close())
  }

  #find(window: number, channel: string, subscription: string): OutgoingStream<unknown> | undefined {
    return this.#streams.get(window)?.get(`${channel} ${subscription}`)
  }

  #subscribe(sender: BridgeSender, key: string, transport: ConstructorParameters<typeof OutgoingStream>[0]) {
    const streams = this.#streams.get(sender.id) ?? new Map<string, OutgoingStream<unknown>>()
    this.#streams.set(sender.id, streams)
    if (streams.has(key)) throw new PlumblineError('invalid_payload', 'This subscription is open already.')
    if (streams.size >= MAX_SUBSCRIPTIONS) {
      throw new PlumblineError('limit_exceeded', `A window follows at most ${MAX_SUBSCRIPTIONS} streams.`)
    }
    const stream = new OutgoingStream<unknown>(transport, () => streams.delete(key))
    streams.set(key, stream)
    return stream
  }

  #answer(channel: string, work: (event: BridgeEvent, message: unknown) => Promise<unknown>): void {
    this.#options.port.handle(channel, async (event, message): Promise<Envelope<unknown>> => {
      const { log, now } = this.#options
      const began = now()
      try {
        if (!this.#options.isTrusted(event)) {
          throw new PlumblineError('untrusted_sender', 'This page may not use the bridge.', {
            context: { url: event.senderFrame?.url ?? 'gone' },
          })
        }
        const value = await work(event, message)
        log.debug('bridge call', { channel, ms: now() - began })
        return { ok: true, value }
      } catch (thrown) {
        const failure = toFailure(thrown)
        log.warn('bridge call refused', { ...detailsOf(thrown), channel, ms: now() - began, code: failure.code })
        return { ok: false, failure }
      }
    })
    this.#closers.push(() => this.#options.port.removeHandler(channel))
  }

  #listen(channel: string, act: (window: number, subscription: string) => void): void {
    this.#options.port.on(channel, (event, message) => {
      const parsed = SubscriptionMessage.safeParse(message)
      if (!parsed.success || !this.#options.isTrusted(event)) {
        this.#options.log.warn('bridge message refused', { channel })
        return
      }
      act(event.sender.id, parsed.data.subscription)
    })
    this.#closers.push(() => this.#options.port.removeAllListeners(channel))
  }
}

/** A window that went away between two items is no error: its streams are ended by `endStreams`. */
function post(sender: BridgeSender, channel: string, message: unknown): void {
  if (!sender.isDestroyed()) sender.send(channel, message)
}

function parsePayload<Schema extends z.ZodType>(schema: Schema, payload: unknown, channel: string): z.output<Schema> {
  const parsed = schema.safeParse(payload)
  if (parsed.success) return parsed.data
  // The issues may quote what was sent, so they go to the log only.
  throw new PlumblineError('invalid_payload', `The arguments of ${channel} do not fit.`, {
    context: { issues: parsed.error.issues.slice(0, 8).map((issue) => `${issue.path.join('.')}: ${issue.code}`) },
  })
}

function detailsOf(thrown: unknown): Record<string, unknown> {
  if (thrown instanceof PlumblineError) return { reason: thrown.message, ...thrown.context }
  return thrown instanceof Error ? { reason: thrown.message, stack: thrown.stack } : {}
}
