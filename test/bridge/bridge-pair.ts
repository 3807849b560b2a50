import { vi } from 'vitest'
import { type BridgeEvent, BridgeGate, type IpcPort } from '../../main/ipc/bridge-gate'
import type { DesktopShell } from '../../main/ipc/desktop-services'
import { registerBridge } from '../../main/ipc/register-bridge'
import { isOwnMainFrame } from '../../main/ipc/trusted-sender'
import { bridgeShape, type Contract } from '../../preload/contract'
import type { Bridge } from '../../preload/contract/rpc'
import { type FakeServices, fakeServices } from '../support/fake-services'

export const PAGE = 'file:///app/renderer/index.html'
export const WINDOW = 7

type Handler = (event: BridgeEvent, message: unknown) => Promise<unknown>
type Listener = (event: BridgeEvent, message: unknown) => void

/** Both ends of the wire without Electron. What crosses is cloned, as the real one does. */
export class Wire implements IpcPort {
  readonly handlers = new Map<string, Handler>()
  readonly listeners = new Map<string, Listener>()
  readonly rendererListeners = new Map<string, (event: unknown, message: unknown) => void>()
  /** Items are kept instead of delivered, as a window does that is busy. */
  held: (() => void)[] | undefined
  sender: BridgeEvent = this.#senderOf({ url: PAGE, parent: null })

  handle(channel: string, listener: Handler) {
    if (this.handlers.has(channel)) throw new Error(`${channel} is taken`)
    this.handlers.set(channel, listener)
  }

  on(channel: string, listener: Listener) {
    this.listeners.set(channel, listener)
  }

  removeHandler(channel: string) {
    this.handlers.delete(channel)
  }

  removeAllListeners(channel: string) {
    this.listeners.delete(channel)
  }

  async invoke(channel: string, message: unknown): Promise<unknown> {
    const handler = this.handlers.get(channel)
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
    return structuredClone(await handler(this.sender, structuredClone(message)))
  }

  emit(channel: string, message: unknown) {
    this.listeners.get(channel)?.(this.sender, structuredClone(message))
  }

  sendFrom(frame: BridgeEvent['senderFrame'], window = WINDOW) {
    this.sender = this.#senderOf(frame, window)
  }

  /** Delivers what was held, and delivers at once from now on. */
  release() {
    // What is sent meanwhile comes after what was held.
    for (let next = this.held?.shift(); next; next = this.held?.shift()) next()
    this.held = undefined
  }

  #senderOf(senderFrame: BridgeEvent['senderFrame'], id = WINDOW): BridgeEvent {
    const send = (channel: string, message: unknown) => {
      const copy = structuredClone(message)
      const deliver = () => this.rendererListeners.get(channel)?.({}, copy)
      if (this.held) this.held.push(deliver)
      else deliver()
    }
    return { sender: { id, isDestroyed: () => false, send }, senderFrame }
  }
}

export interface BridgePair {
  wire: Wire
  gate: BridgeGate
  services: FakeServices
  shell: ReturnType<typeof fakeShell>
  /** The object that the window would get, made by the real preload. */
  bridge: Bridge<Contract>
  log: { level: string; message: string; fields: Record<string, unknown> }[]
}

/** The shell without windows: it remembers what it was told. */
export function fakeShell() {
  const calls: { name: string; args: unknown[] }[] = []
  const told =
    <Args extends unknown[]>(name: string) =>
    (...args: Args): void =>
      void calls.push({ name, args })
  const folders = new Set<string>([process.cwd()])
  const commands = new Set<(command: { command: string }) => void>()
  const layout = {
    sessionsWidth: 240,
    sessionsOpen: true,
    dockWidth: 560,
    dockOpen: true,
    lowerHeight: 296,
    lowerOpen: true,
    lowerTab: 'timeline',
    diffLayout: 'split',
    theme: 'system',
  } as const
  const shell = {
    calls,
    folders,
    commands,
    picked: process.cwd() as string | null,
    info: () => ({ version: '1.2.3', platform: 'linux' as const, electron: '33.0.0', home: '/home/of/plumbline' }),
    takeLaunch: () => ({ prompt: 'hello' }),
    onCommand: (_caller: unknown, listener: (command: { command: string }) => void) => {
      commands.add(listener)
      return () => void commands.delete(listener)
    },
    getLayout: () => layout,
    setLayout: told('setLayout'),
    getDraft: (session: string) => `draft of ${session}`,
    setDraft: told('setDraft'),
    openExternal: async (url: string) => told<[string]>('openExternal')(url),
    reveal: told('reveal'),
    control: told('control'),
    copyText: told('copyText'),
    reportFailure: told('reportFailure'),
    pickFolder: async () => shell.picked,
    recents: {
      list: async () => [...folders].map((path) => ({ path, name: 'x', openedAt: 1, exists: true })),
      add: (path: string) => void folders.add(path),
      has: (path: string) => folders.has(path),
    },
  }
  return shell satisfies DesktopShell
}

/** The real preload and the real handlers with a fake wire between them. */
export async function connect(): Promise<BridgePair> {
  const wire = new Wire()
  const services = fakeServices()
  const shell = fakeShell()
  const log: BridgePair['log'] = []
  const write = (level: string) => (message: string, fields: Record<string, unknown>) =>
    void log.push({ level, message, fields })
  const gate = new BridgeGate({
    port: wire,
    isTrusted: (event) => isOwnMainFrame(event, PAGE) && event.sender.id === WINDOW,
    log: { debug: write('debug'), warn: write('warn') },
    now: () => performance.now(),
  })
  registerBridge(gate, shell, async () => services)

  let exposed: unknown
  vi.resetModules()
  vi.stubGlobal('__BRIDGE_SHAPE__', bridgeShape())
  vi.doMock('electron', () => ({
    contextBridge: {
      exposeInMainWorld: (name: string, value: unknown) => {
        if (name !== 'plumbline' || exposed !== undefined) throw new Error(`A second global: ${name}`)
        exposed = value
      },
    },
    ipcRenderer: {
      invoke: (channel: string, message: unknown) => wire.invoke(channel, message),
      send: (channel: string, message: unknown) => wire.emit(channel, message),
      on: (channel: string, listener: (event: unknown, message: unknown) => void) =>
        void wire.rendererListeners.set(channel, listener),
    },
    webUtils: { getPathForFile: (file: File) => (file.name === 'dropped' ? process.cwd() : '') },
  }))
  await import('../../preload/index')
  return { wire, gate, services, shell, bridge: exposed as Bridge<Contract>, log }
}
