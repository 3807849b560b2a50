import type { Contract } from '../../preload/contract'
import type { ErrorCode, Failure } from '../../preload/contract/errors'
import type { Bridge, Envelope } from '../../preload/contract/rpc'

declare global {
  interface Window {
    readonly plumbline: Bridge<Contract>
  }
}

/** Ends a subscription. Calling it twice does no harm. */
export type Cancel = () => void

/** A refusal of the main process: `code` to switch on, `message` for people. */
export class BridgeError extends Error {
  readonly code: ErrorCode

  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'BridgeError'
    this.code = failure.code
  }
}

type Client<Call> = Call extends (args: infer Args) => Promise<Envelope<infer Value>>
  ? (...args: undefined extends Args ? [] : [Args]) => Promise<Value>
  : Call

/** The bridge as the window's code uses it: requests resolve to their value or reject with a `BridgeError`. */
export type BridgeClient = {
  readonly [Domain in keyof Bridge<Contract>]: {
    readonly [Verb in keyof Bridge<Contract>[Domain]]: Client<Bridge<Contract>[Domain][Verb]>
  }
}

type RawCall = (args?: unknown, listener?: unknown, ended?: unknown) => unknown

function unwrapping(call: RawCall): RawCall {
  return (args, listener, ended) => {
    // Only a stream is ever called with a listener, and it answers with its cancel function at once.
    if (listener !== undefined) return call(args, listener, ended)
    return Promise.resolve(call(args)).then((answer) => {
      const envelope = answer as Envelope<unknown>
      if (!envelope.ok) throw new BridgeError(envelope.failure)
      return envelope.value
    })
  }
}

/**
 * Makes the client from the exposed object. Nothing is parsed again here: the main process checks arguments and results
 * against the contract, and a snapshot of a long session must not be walked twice.
 */
export function createBridgeClient(exposed: Bridge<Contract>): BridgeClient {
  const domains = Object.entries(exposed).map(([name, verbs]) => [
    name,
    Object.fromEntries(Object.entries(verbs).map(([verb, call]) => [verb, unwrapping(call as RawCall)])),
  ])
  return Object.fromEntries(domains) as BridgeClient
}

/** Opens the folder that was dropped on the window. The preload turns the file into its path; the window never sees it. */
export function droppedFolderOpener(exposed: Bridge<Contract>): (file: File) => Promise<Envelope<unknown>> {
  const open = exposed.project.openDropped as unknown as (file: File) => Promise<Envelope<unknown>>
  return (file) => open(file)
}
