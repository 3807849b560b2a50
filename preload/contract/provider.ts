import { z } from 'zod'
import { ModelRef } from './ids'
import { domain, request } from './rpc'

export const ModelInfo = z.object({
  ref: ModelRef,
  /** As people read it. */
  label: z.string(),
  contextWindow: z.number().int().optional(),
  images: z.boolean(),
  /** US dollars per million tokens. */
  cost: z.object({ input: z.number(), output: z.number(), cachedInput: z.number().optional() }).optional(),
})
export type ModelInfo = z.infer<typeof ModelInfo>

export const ProviderStatus = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(['openai-responses', 'anthropic-messages', 'openai-chat', 'scripted']),
  baseUrl: z.string(),
  /** Where the key that would be used comes from; the key itself never leaves the main process. */
  key: z.enum(['keychain', 'memory', 'environment', 'none-needed', 'missing']),
  keyName: z.string().optional(),
  local: z.boolean(),
  /** Local servers: whether one answers. Others: undefined until tested. */
  reachable: z.boolean().optional(),
  models: z.array(ModelInfo),
})
export type ProviderStatus = z.infer<typeof ProviderStatus>

export const provider = domain('provider', {
  list: request({ args: z.void(), result: z.array(ProviderStatus) }),
  /** Looks again for model servers on this machine. */
  discover: request({ args: z.void(), result: z.array(ProviderStatus) }),
  /** Tries the key against the provider and stores it when it works. Answers where it is kept. */
  saveKey: request({
    args: z.object({ provider: z.string().max(64), key: z.string().min(1).max(4096), test: z.boolean().default(true) }),
    result: z.object({ store: z.enum(['keychain', 'memory']) }),
  }),
  removeKey: request({ args: z.object({ provider: z.string().max(64) }), result: z.void() }),
  test: request({
    args: z.object({ provider: z.string().max(64) }),
    result: z.object({ ok: z.boolean(), message: z.string(), models: z.array(ModelInfo) }),
  }),
  /** The model that new sessions use; null until one was chosen. */
  getDefault: request({ args: z.void(), result: ModelRef.nullable() }),
  setDefault: request({ args: ModelRef, result: z.void() }),
})
