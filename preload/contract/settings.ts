import { z } from 'zod'
import { PermissionMode, SandboxTier, ToolsetName } from './ids'
import { domain, request, stream } from './rpc'

/** A fault of a settings file; the rest of the file still counts. */
export const SettingsIssue = z.object({
  file: z.string(),
  line: z.number().int(),
  key: z.string(),
  message: z.string(),
})
export type SettingsIssue = z.infer<typeof SettingsIssue>

/** The part of the settings that the window shows and changes. */
export const VisibleSettings = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast']),
  toolset: ToolsetName,
  mode: PermissionMode,
  sandbox: SandboxTier,
  fontSize: z.number().min(10).max(24),
})
export type VisibleSettings = z.infer<typeof VisibleSettings>

export const settings = domain('settings', {
  get: request({
    args: z.void(),
    result: z.object({ values: VisibleSettings, issues: z.array(SettingsIssue), file: z.string() }),
  }),
  /** Writes the person's settings file, keeping its comments. */
  update: request({ args: VisibleSettings.partial(), result: VisibleSettings }),
  changes: stream({ args: z.void(), item: VisibleSettings }),
})
