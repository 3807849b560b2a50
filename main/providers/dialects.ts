import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { judgeAnthropic, judgeChat, judgeResponses, type StreamJudge } from './judge'

export type WireType = 'openai-responses' | 'anthropic-messages' | 'openai-chat'

/** How much a model is to think, as the settings say. */
export type ReasoningEffort = 'low' | 'medium' | 'high'

export interface ReasoningWish {
  /** Ask for what the model says about its reasoning. */
  summaries: boolean
  effort: ReasoningEffort | undefined
}

/** Tokens that a model may think before its answer, where the API counts them. */
const THINKING_TOKENS: Readonly<Record<ReasoningEffort, number>> = { low: 4096, medium: 12_288, high: 24_576 }

/** Answers of models that speak Anthropic's wire and are not Anthropic's. */
const OTHER_MAX_OUTPUT_TOKENS = 32_000

/** What one model API needs beyond what all of them share. */
export interface Dialect {
  /** The package's model for one request, loaded with the first. `baseUrl` is the root that the API's paths hang on. */
  model(id: string, wire: { name: string; baseUrl: string; fetch: typeof globalThis.fetch }): Promise<LanguageModelV3>
  judge(name: string): StreamJudge
  /** The root of the API's paths, from the base URL as the vendor's own client takes it. */
  root(baseUrl: string): string
  /** The headers that carry a key. */
  keyHeaders(key: string): Record<string, string>
  /** Headers of requests that don't go through the package. */
  plainHeaders: Readonly<Record<string, string>>
  imagesInResults: boolean
  cacheMark?: SharedV3ProviderOptions
  /** The limit of an answer where the wire wants one and nobody named it; undefined leaves it to the package. */
  maxOutputTokens?(id: string): number | undefined
  options(wish: ReasoningWish): SharedV3ProviderOptions
}

/** Packages refuse to work without a key; our own headers replace it, or remove it. */
const NO_KEY = 'none'

const trimmed = (baseUrl: string) => baseUrl.replace(/\/+$/, '')

const responses: Dialect = {
  model: async (id, wire) => {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ baseURL: wire.baseUrl, apiKey: NO_KEY, fetch: wire.fetch }).responses(id)
  },
  judge: judgeResponses,
  root: trimmed,
  keyHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  plainHeaders: {},
  imagesInResults: true,
  // Nothing is kept there: the conversation is ours, and reasoning comes back sealed.
  options: ({ summaries, effort }) => ({
    openai: {
      store: false,
      ...(summaries ? { reasoningSummary: 'auto' } : {}),
      ...(effort === undefined ? {} : { reasoningEffort: effort }),
    },
  }),
}

const anthropic: Dialect = {
  model: async (id, wire) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL: wire.baseUrl, apiKey: NO_KEY, fetch: wire.fetch })(id)
  },
  judge: judgeAnthropic,
  root: (baseUrl) => (/\/v1\/*$/.test(baseUrl) ? trimmed(baseUrl) : `${trimmed(baseUrl)}/v1`),
  keyHeaders: (key) => ({ 'x-api-key': key }),
  plainHeaders: { 'anthropic-version': '2023-06-01' },
  imagesInResults: true,
  // The package knows the limits of the vendor's models and guesses high for others, which they refuse.
  maxOutputTokens: (id) => (id.startsWith('claude-') ? undefined : OTHER_MAX_OUTPUT_TOKENS),
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  options: ({ effort }): SharedV3ProviderOptions =>
    effort === undefined ? {} : { anthropic: { thinking: { type: 'enabled', budgetTokens: THINKING_TOKENS[effort] } } },
}

const chat: Dialect = {
  model: async (id, wire) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return createOpenAICompatible({ name: wire.name, baseURL: wire.baseUrl, fetch: wire.fetch, includeUsage: true })(id)
  },
  judge: judgeChat,
  root: trimmed,
  keyHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  plainHeaders: {},
  imagesInResults: false,
  options: ({ effort }): SharedV3ProviderOptions =>
    effort === undefined ? {} : { openaiCompatible: { reasoningEffort: effort } },
}

export const dialects: Readonly<Record<WireType, Dialect>> = {
  'openai-responses': responses,
  'anthropic-messages': anthropic,
  'openai-chat': chat,
}
