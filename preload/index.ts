import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { Failure } from './contract/errors'
import { type CallKind, channelName, type Envelope, MAX_SUBSCRIPTIONS, streamChannels } from './contract/rpc'

/** `{domain: {verb: kind}}`, put in by the build from the contract, so that no schema library is loaded here. */
declare const __BRIDGE_SHAPE__: Readonly<Record<string, Readonly<Record<string, CallKind>>>>

interface Subscription {
  readonly listener: (item: unknown) => void
  readonly ended: ((failure: Failure | null) => void) | undefined
}

type Request = (args: unknown) => Promise<Envelope<unknown>>
type Stream = (args: unknown, listener: Subscription['listener'], ended?: Subscription['ended']) => () => void

// A reloaded window must not take up the subscriptions of the page before it.
const page = Math.floor(performance.timeOrigin).toString(36)
let subscriptionCount = 0
const open = new Map<string, Subscription>()

function refuse(code: Failure['code'], message: string): Failure {
  return { code, message }
}

function requestOf(domain: string, verb: string): Request {
  const channel = channelName(domain, verb)
  return (args) => ipcRenderer.invoke(channel, args)
}

/** Takes the `File` of a drop; a file that the page made itself has no path and is refused by the main process. */
function droppedOf(domain: string, verb: string): Request {
  const send = requestOf(domain, verb)
  return (file) => send({ path: file instanceof File ? webUtils.getPathForFile(file) : '' })
}

function streamOf(domain: string, verb: string): Stream {
  const channels = streamChannels(domain, verb)

  ipcRenderer.on(channels.item, (_event, message: { subscription: string; item: unknown }) => {
    const { subscription } = message
    try {
      open.get(subscription)?.listener(message.item)
    } finally {
      // Also for one that was cancelled meanwhile: the main process waits for it.
      ipcRenderer.send(channels.ack, { subscription })
    }
  })
  ipcRenderer.on(channels.ended, (_event, message: { subscription: string; failure: Failure | null }) =>
    close(message.subscription, message.failure),
  )

  return (args, listener, ended) => {
    if (open.size >= MAX_SUBSCRIPTIONS) {
      ended?.(refuse('limit_exceeded', `This window already follows ${MAX_SUBSCRIPTIONS} streams.`))
      return () => undefined
    }
    subscriptionCount += 1
    const subscription = `${page}-${subscriptionCount}`
    open.set(subscription, { listener, ended })
    ipcRenderer.invoke(channels.open, { subscription, args }).then(
      (envelope: Envelope<void>) => {
        if (!envelope.ok) close(subscription, envelope.failure)
      },
      (error: unknown) => close(subscription, refuse('internal', String(error))),
    )
    return () => {
      if (!open.delete(subscription)) return
      ipcRenderer.send(channels.cancel, { subscription })
    }
  }
}

function close(subscription: string, failure: Failure | null): void {
  const closing = open.get(subscription)
  if (!open.delete(subscription)) return
  closing?.ended?.(failure)
}

const carry: Record<CallKind, (domain: string, verb: string) => Request | Stream> = {
  request: requestOf,
  dropped: droppedOf,
  stream: streamOf,
}

const bridge = Object.fromEntries(
  Object.entries(__BRIDGE_SHAPE__).map(([domain, verbs]) => [
    domain,
    Object.freeze(Object.fromEntries(Object.entries(verbs).map(([verb, kind]) => [verb, carry[kind](domain, verb)]))),
  ]),
)

// The context bridge copies and freezes it, all the way down, in the page's world.
contextBridge.exposeInMainWorld('plumbline', Object.freeze(bridge))
