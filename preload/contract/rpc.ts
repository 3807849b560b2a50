import type { z } from 'zod'
import type { Failure } from './errors'

/** A question to the main process with one answer. */
export interface RequestDefinition<Args extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  readonly kind: 'request'
  readonly args: Args
  readonly result: Result
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
}): RequestDefinition<Args, Result> {
  return { kind: 'request', ...shape }
}

export function stream<Args extends z.ZodType, Item extends z.ZodType>(shape: {
  args: Args
  item: Item
}): StreamDefinition<Args, Item> {
  return { kind: 'stream', ...shape }
}

export function domain<Calls extends Record<string, CallDefinition>>(name: string, calls: Calls): DomainDefinition<Calls> {
  return { name, calls }
}

/** What an invoke resolves to: a refused call is an answer, never an undefined. */
export type Envelope<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

/** `domain:verb`, the only form a channel has. */
export function channelName(domainName: string, verb: string): string {
  return `${domainName}:${verb}`
}
