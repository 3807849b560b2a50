import type { z } from 'zod'
import type { Failure } from './errors'

/** A question to the main process with one answer. */
export interface RequestDefinition<Args extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  readonly kind: 'request'
  readonly args: Args
  readonly result: Result
  /**
   * The window passes the `File` of a drop in place of the arguments; the preload turns it into `{ path }`, so that no
   * path has to be readable in the window.
   */
  readonly dropped?: boolean | undefined
}

/** A subscription: items arrive until the caller cancels or the main process ends it. */
export interface StreamDefinition<Args extends z.ZodType = z.ZodType, Item extends z.ZodType = z.ZodType> {
  readonly kind: 'stream'
  readonly args: Args
  readonly item: Item
}

export type CallDefinition = RequestDefinition | StreamDefinition

export interface DomainDefinition<Calls extends Record<string, CallDefinition> = Record<string, CallDefinition>> {
  readonly name: string
  readonly calls: Calls
}

export function request<Args extends z.ZodType, Result extends z.ZodType>(shape: {
  args: Args
  result: Result
  dropped?: boolean
}): RequestDefinition<Args, Result> {
  return { kind: 'request', ...shape }
}

export function stream<Args extends z.ZodType, Item extends z.ZodType>(shape: {
  args: Args
  item: Item
}): StreamDefinition<Args, Item> {
  return { kind: 'stream', ...shape }
}

export function domain<Calls extends Record<string, CallDefinition>>(
  name: string,
  calls: Calls,
): DomainDefinition<Calls> {
  return { name, calls }
}

/** What the preload has to know about a call: how it is carried. */
export type CallKind = 'request' | 'stream' | 'dropped'

export function callKind(call: CallDefinition): CallKind {
  return call.kind === 'request' && call.dropped ? 'dropped' : call.kind
}

/** What an invoke resolves to: a refused call is an answer, never an undefined. */
export type Envelope<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

/** `domain:verb`, the only form a channel has. */
export function channelName(domainName: string, verb: string): string {
  return `${domainName}:${verb}`
}

/** The channels of one stream. Every message on them names the subscription, which the window numbers. */
export function streamChannels(domainName: string, verb: string) {
  const channel = channelName(domainName, verb)
  return {
    /** Window to main, answered with an envelope: `{ subscription, args }`. */
    open: `${channel}:open`,
    /** Main to window: `{ subscription, item }`. */
    item: `${channel}:item`,
    /** Window to main, after the listener returned: `{ subscription }`, one for each item. */
    ack: `${channel}:ack`,
    /** Window to main: `{ subscription }`. */
    cancel: `${channel}:cancel`,
    /** Main to window: `{ subscription, failure }`, `failure` null when the stream came to its end. */
    ended: `${channel}:ended`,
  } as const
}

/** Subscriptions one window may hold at once: sessions, terminals and the app's own, with room. */
export const MAX_SUBSCRIPTIONS = 256

type BridgeCall<Call> =
  Call extends StreamDefinition<infer Args, infer Item>
    ? (
        args: z.input<Args>,
        listener: (item: z.output<Item>) => void,
        ended?: (failure: Failure | null) => void,
      ) => () => void
    : Call extends RequestDefinition<infer Args, infer Result>
      ? (args: z.input<Args>) => Promise<Envelope<z.output<Result>>>
      : never

/**
 * The object that the window gets: `bridge.session.prompt(args)` resolves to an envelope and never rejects for a
 * refusal; `bridge.session.updates(args, listener, ended)` returns the function that cancels. The next item is held
 * back until the listeners of the last ones returned. A call with `dropped` also takes a `File`.
 */
export type Bridge<Domains extends Record<string, DomainDefinition>> = {
  readonly [Name in keyof Domains]: {
    readonly [Verb in keyof Domains[Name]['calls']]: BridgeCall<Domains[Name]['calls'][Verb]>
  }
}
