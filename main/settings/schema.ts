import { z } from 'zod'
import { ModelRef, PermissionMode, SandboxTier, ToolsetName } from '../../preload/contract/ids'

const strings = z.array(z.string().min(1).max(4096)).max(10_000)

/** `tool` or `tool(pattern)`; its meaning is the permission engine's. */
const rules = z.array(z.string().trim().min(1).max(1024)).max(10_000)

const milliseconds = z
  .number()
  .int()
  .positive()
  .max(24 * 60 * 60 * 1000)

export const ProviderModelSettings = z.strictObject({
  id: z.string().min(1).max(1024),
  label: z.string().max(256).optional(),
  contextWindow: z.number().int().positive().optional(),
  images: z.boolean().optional(),
  /** How long the model thinks before it answers; absent leaves it to the provider. */
  reasoning: z.enum(['low', 'medium', 'high']).optional(),
  /** US dollars per million tokens. */
  cost: z
    .strictObject({
      input: z.number().nonnegative(),
      output: z.number().nonnegative(),
      cachedInput: z.number().nonnegative().optional(),
    })
    .optional(),
})
export type ProviderModelSettings = z.infer<typeof ProviderModelSettings>

export const ProviderLimitSettings = z.strictObject({
  connectMs: milliseconds.optional(),
  idleMs: milliseconds.optional(),
  progressMs: milliseconds.optional(),
  maxRetries: z.number().int().nonnegative().max(100).optional(),
  maxStreamBytes: z.number().int().positive().optional(),
})

export const ProviderSettings = z.strictObject({
  type: z.enum(['openai-responses', 'anthropic-messages', 'openai-chat']).optional(),
  label: z.string().max(128).optional(),
  /** As the vendor's own client takes it. */
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The name of an environment variable. */
  apiKeyEnv: z.string().min(1).max(256).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  models: z.array(ProviderModelSettings).max(1000).optional(),
  limits: ProviderLimitSettings.optional(),
})
export type ProviderSettings = z.infer<typeof ProviderSettings>

export const hookEvents = [
  'session_start',
  'user_prompt',
  'pre_tool',
  'permission_request',
  'post_tool',
  'post_tool_failure',
  'assistant_message',
  'turn_end',
  'stop',
  'subagent_start',
  'subagent_stop',
  'pre_compact',
  'notification',
  'session_end',
  'worktree_change',
  'file_changed',
] as const
export const HookEvent = z.enum(hookEvents)
export type HookEvent = z.infer<typeof HookEvent>

export const HookSettings = z.strictObject({
  /** Regular expression on the tool's name or canonical id; absent matches all. */
  matcher: z.string().max(1024).optional(),
  /** A rule that must match too. */
  if: z.string().max(1024).optional(),
  command: z.array(z.string().max(4096)).min(1).max(256),
  timeout_ms: z.number().int().positive().max(600_000).default(60_000),
  /** Absent: block for `pre_tool` and `permission_request`, continue elsewhere. */
  on_failure: z.enum(['block', 'continue']).optional(),
  /** Runs outside the sandbox; counts in the person's own file only. */
  trusted: z.boolean().optional(),
})
export type HookSettings = z.infer<typeof HookSettings>

const hooks = z.strictObject({
  session_start: z.array(HookSettings).optional(),
  user_prompt: z.array(HookSettings).optional(),
  pre_tool: z.array(HookSettings).optional(),
  permission_request: z.array(HookSettings).optional(),
  post_tool: z.array(HookSettings).optional(),
  post_tool_failure: z.array(HookSettings).optional(),
  assistant_message: z.array(HookSettings).optional(),
  turn_end: z.array(HookSettings).optional(),
  stop: z.array(HookSettings).optional(),
  subagent_start: z.array(HookSettings).optional(),
  subagent_stop: z.array(HookSettings).optional(),
  pre_compact: z.array(HookSettings).optional(),
  notification: z.array(HookSettings).optional(),
  session_end: z.array(HookSettings).optional(),
  worktree_change: z.array(HookSettings).optional(),
  file_changed: z.array(HookSettings).optional(),
} satisfies Record<HookEvent, z.ZodType>)

const sandbox = z.strictObject({
  tier: SandboxTier.optional(),
  allowed_hosts: strings.optional(),
  denied_hosts: strings.optional(),
  extra_write: strings.optional(),
  deny_read: strings.optional(),
  allow_local_binding: z.boolean().optional(),
  excluded_commands: strings.optional(),
  /** Without enforcement nothing is run at all. */
  required: z.boolean().optional(),
})

const capabilities = z.looseObject({
  tools: z
    .looseObject({
      edit: z
        .looseObject({
          /** Mend proven slips at the border of a replacement, refuse patches that need it, or write as authored. */
          repairs: z.enum(['repair', 'refuse', 'off']).optional(),
        })
        .optional(),
    })
    .optional(),
})

const environment = z.strictObject({
  profile: z.enum(['inherit', 'core', 'none']).optional(),
  env_allow: strings.optional(),
  env_deny: strings.optional(),
})

/** A settings file: every key may be missing. Objects that later work fills are loose. */
export const SettingsFile = z.strictObject({
  $schema: z.string().optional(),
  theme: z.enum(['system', 'light', 'dark', 'contrast']).optional(),
  /** CSS pixels. */
  fontSize: z.number().min(10).max(24).optional(),
  toolset: ToolsetName.optional(),
  mode: PermissionMode.optional(),
  /** The model of new sessions. */
  model: ModelRef.optional(),
  permissions: z.strictObject({ allow: rules.optional(), ask: rules.optional(), deny: rules.optional() }).optional(),
  hooks: hooks.optional(),
  providers: z.record(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/), ProviderSettings).optional(),
  sandbox: sandbox.optional(),
  environment: environment.optional(),
  network: z.strictObject({ proxy: z.string().max(2048).optional() }).optional(),
  /** What happens in a folder that nobody decided about. */
  trust: z.strictObject({ default: z.enum(['ask', 'always', 'never']).optional() }).optional(),
  terminal: z.looseObject({ shell: z.string().max(4096).optional() }).optional(),
  defaultTools: strings.optional(),
  disabled_tools: strings.optional(),
  capabilities: capabilities.optional(),
  agent: z.looseObject({}).optional(),
  web: z.looseObject({}).optional(),
  search: z.looseObject({}).optional(),
  mcpServers: z.record(z.string(), z.looseObject({})).optional(),
  lsp: z.looseObject({}).optional(),
})
export type SettingsFile = z.infer<typeof SettingsFile>

/** The settings that are in force: what every reader can count on is there. */
export type SettingsValues = Omit<SettingsFile, '$schema'> &
  Required<Pick<SettingsFile, 'theme' | 'fontSize' | 'toolset' | 'mode'>> & {
    permissions: { allow: string[]; ask: string[]; deny: string[] }
    sandbox: NonNullable<SettingsFile['sandbox']> & { tier: SandboxTier }
    hooks: NonNullable<SettingsFile['hooks']>
    providers: Record<string, ProviderSettings>
    trust: { default: 'ask' | 'always' | 'never' }
  }

export const defaultSettings: SettingsValues = {
  theme: 'system',
  fontSize: 14,
  toolset: 'plumbline',
  mode: 'ask',
  permissions: { allow: [], ask: [], deny: [] },
  sandbox: { tier: 'guarded' },
  hooks: {},
  providers: {},
  trust: { default: 'ask' },
}
