import type { Usage } from '../../preload/contract/content'
import type { ModelInfo } from '../../preload/contract/provider'
import type { ProviderModelSettings } from '../settings/schema'

interface KnownModel {
  /** As people read it. */
  label: string
  contextWindow: number
  /** US dollars per million tokens: input, output, cached input. */
  cost: readonly [number, number, number]
}

/** List prices, spring 2026; `providers.<name>.models` in the settings overrides them. Newer models have no price here. */
const openai: Readonly<Record<string, KnownModel>> = {
  'gpt-5.4': { label: 'GPT-5.4', contextWindow: 1_050_000, cost: [2.5, 15, 0.25] },
  'gpt-5.4-mini': { label: 'GPT-5.4 mini', contextWindow: 400_000, cost: [0.75, 4.5, 0.075] },
  'gpt-5.4-nano': { label: 'GPT-5.4 nano', contextWindow: 400_000, cost: [0.2, 1.25, 0.02] },
  'gpt-5.2': { label: 'GPT-5.2', contextWindow: 400_000, cost: [1.75, 14, 0.175] },
  'gpt-5.2-codex': { label: 'GPT-5.2 Codex', contextWindow: 400_000, cost: [1.75, 14, 0.175] },
  'gpt-5.1': { label: 'GPT-5.1', contextWindow: 400_000, cost: [1.25, 10, 0.125] },
  'gpt-5.1-codex': { label: 'GPT-5.1 Codex', contextWindow: 400_000, cost: [1.25, 10, 0.125] },
  'gpt-5': { label: 'GPT-5', contextWindow: 400_000, cost: [1.25, 10, 0.125] },
  'gpt-5-mini': { label: 'GPT-5 mini', contextWindow: 400_000, cost: [0.25, 2, 0.025] },
  'gpt-4.1': { label: 'GPT-4.1', contextWindow: 1_047_576, cost: [2, 8, 0.5] },
}

const anthropic: Readonly<Record<string, KnownModel>> = {
  'claude-opus-4-6': { label: 'Claude Opus 4.6', contextWindow: 1_000_000, cost: [5, 25, 0.5] },
  'claude-sonnet-4-6': { label: 'Claude Sonnet 4.6', contextWindow: 1_000_000, cost: [3, 15, 0.3] },
  'claude-opus-4-5': { label: 'Claude Opus 4.5', contextWindow: 200_000, cost: [5, 25, 0.5] },
  'claude-sonnet-4-5': { label: 'Claude Sonnet 4.5', contextWindow: 200_000, cost: [3, 15, 0.3] },
  'claude-haiku-4-5': { label: 'Claude Haiku 4.5', contextWindow: 200_000, cost: [1, 5, 0.1] },
  'claude-opus-4-1': { label: 'Claude Opus 4.1', contextWindow: 200_000, cost: [15, 75, 1.5] },
}

const vendors: Readonly<Record<string, Readonly<Record<string, KnownModel>>>> = { openai, anthropic }

/** The ids that are offered before a provider was asked for its list. */
export function knownModelIds(provider: string): string[] {
  return Object.keys(vendors[provider] ?? {})
}

/**
 * What is known of a model: the settings first, then the table of its vendor, dated ids included
 * (`claude-sonnet-4-5-20250929`). `vendor` is whose table counts; absent for servers of one's own.
 */
export function describeModel(
  provider: string,
  id: string,
  configured: readonly ProviderModelSettings[] = [],
  vendor: string | undefined = provider,
): ModelInfo {
  const own = configured.find((model) => model.id === id)
  const table = vendor === undefined ? {} : (vendors[vendor] ?? {})
  const known = table[id] ?? table[id.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')]
  const contextWindow = own?.contextWindow ?? known?.contextWindow
  const cost = own?.cost ?? (known && { input: known.cost[0], output: known.cost[1], cachedInput: known.cost[2] })
  return {
    ref: `${provider}:${id}`,
    label: own?.label ?? known?.label ?? id,
    images: own?.images ?? true,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(cost === undefined ? {} : { cost }),
  }
}

/** US dollars, or undefined when the prices are unknown. `usage.input` includes the cached tokens. */
export function costOf(prices: ModelInfo['cost'], usage: Usage): number | undefined {
  if (prices === undefined) return undefined
  const cached = Math.min(usage.cachedInput ?? 0, usage.input)
  const input = (usage.input - cached) * prices.input + cached * (prices.cachedInput ?? prices.input)
  return (input + usage.output * prices.output) / 1_000_000
}
