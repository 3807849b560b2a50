import { z } from 'zod'
import { ModelRef, PermissionMode, SessionId, ToolsetName } from './ids'
import { domain, request, stream } from './rpc'

export const AppInfo = z.object({
  version: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32']),
  electron: z.string(),
  /** What the command line asked for, once. */
  launch: z.object({
    project: z.string().optional(),
    prompt: z.string().optional(),
    model: ModelRef.optional(),
    toolset: ToolsetName.optional(),
    mode: PermissionMode.optional(),
  }),
  home: z.string(),
})
export type AppInfo = z.infer<typeof AppInfo>

/** What this machine offers, in words for people. Finding it out takes a moment. */
export const MachineInfo = z.object({
  /** How credentials are kept: by the system's keychain, named, or only in memory. */
  keychain: z.object({ available: z.boolean(), label: z.string() }),
  sandbox: z.object({ available: z.boolean(), label: z.string() }),
})
export type MachineInfo = z.infer<typeof MachineInfo>

/** How the window looks: sizes in CSS pixels. Unknown keys of older versions are dropped. */
export const LayoutState = z.object({
  sessionsWidth: z.number().min(44).max(480).default(240),
  sessionsOpen: z.boolean().default(true),
  dockWidth: z.number().min(240).max(4096).default(560),
  dockOpen: z.boolean().default(true),
  lowerHeight: z.number().min(80).max(4096).default(296),
  lowerOpen: z.boolean().default(true),
  lowerTab: z.enum(['timeline', 'terminal', 'tasks']).default('timeline'),
  diffLayout: z.enum(['split', 'inline']).default('split'),
  theme: z.enum(['system', 'light', 'dark', 'contrast']).default('system'),
})
export type LayoutState = z.infer<typeof LayoutState>

/** Commands that the menu, the tray or a second start send to the window; ids are those of the command registry. */
export const AppCommand = z.object({ command: z.string().max(64), argument: z.string().max(4096).optional() })
export type AppCommand = z.infer<typeof AppCommand>

export const app = domain('app', {
  /** Answers at once, before any service is there: the first screen waits for it. */
  info: request({ args: z.void(), result: AppInfo }),
  machine: request({ args: z.void(), result: MachineInfo }),
  commands: stream({ args: z.void(), item: AppCommand }),
  getLayout: request({ args: z.void(), result: LayoutState }),
  setLayout: request({ args: LayoutState, result: z.void() }),
  /** Unsent text of the composer, by session; `new` before a session exists. Empty text removes it. */
  getDraft: request({ args: z.union([SessionId, z.literal('new')]), result: z.string() }),
  setDraft: request({
    args: z.object({ session: z.union([SessionId, z.literal('new')]), text: z.string().max(1024 * 1024) }),
    result: z.void(),
  }),
  /** Opens an http or https page in the person's browser. */
  openExternal: request({ args: z.object({ url: z.url({ protocol: /^https?$/ }).max(2048) }), result: z.void() }),
  /** Shows a file of the project in the system's file manager. */
  revealPath: request({ args: z.object({ session: SessionId, path: z.string().max(4096) }), result: z.void() }),
  windowControl: request({ args: z.enum(['minimize', 'maximize', 'close']), result: z.void() }),
  copyText: request({ args: z.string().max(4 * 1024 * 1024), result: z.void() }),
  /** A failure of the renderer, for the log. */
  reportFailure: request({
    args: z.object({ message: z.string().max(8192), stack: z.string().max(16384).optional() }),
    result: z.void(),
  }),
})
