import type { StopReason, Usage } from '../../preload/contract/content'
import type { ErrorCode } from '../../preload/contract/errors'
import type { ModelInfo } from '../../preload/contract/provider'

/** Text or an image, with the image's bytes: what goes over the wire. */
export type ModelContent = { type: 'text'; text: string } | { type: 'image'; mimeType: string; data: Uint8Array }

export type ModelAssistantPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; opaque?: string | undefined }
  | { type: 'call'; call: string; tool: string; args: string }

export type ModelMessage =
  | { role: 'user'; content: ModelContent[] }
  | { role: 'assistant'; content: ModelAssistantPart[] }
  | { role: 'tool'; call: string; tool: string; content: ModelContent[]; isError: boolean }

export interface ToolSpec {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

export interface ModelRequest {
  /** The model's id, without the provider's name. */
  model: string
  system: string
  messages: readonly ModelMessage[]
  tools: readonly ToolSpec[]
  maxOutputTokens?: number | undefined
}

/**
 * What every provider answers, in order. Calls are only complete after `finish`: a stream that ends without it is no
 * turn. `call.args` carries the next piece of the argument text.
 */
export type StreamPart =
  | { type: 'text'; delta: string }
  | { type: 'reasoning'; delta: string }
  /** Closes the reasoning that streamed last, with what the provider wants to see again. */
  | { type: 'reasoning.end'; opaque?: string | undefined }
  | { type: 'call.start'; call: string; tool: string }
  | { type: 'call.args'; call: string; delta: string }
  | { type: 'call.end'; call: string }
  | { type: 'usage'; usage: Usage }
  /** Emitted by `withRetry` before it starts over: everything since the request began is void. */
  | {
      type: 'restart'
      attempt: number
      of: number
      delayMs: number
      code: ErrorCode
      message: string
    }
  /** Something that people should know, such as an image that was left out. */
  | { type: 'notice'; text: string }
  | { type: 'finish'; stop: Extract<StopReason, 'done' | 'calls' | 'length' | 'refused' | 'script_ended'> }

/** What a watchdog hears from the wire below the parts. */
export interface WireObserver {
  /** The answer began: its status and headers are here. */
  answered(): void
  /** That many bytes of the answer's body arrived. */
  bytes(count: number): void
}

export interface Provider {
  readonly id: string
  models(signal?: AbortSignal): Promise<ModelInfo[]>
  /** Throws `PlumblineError` with a `provider_*` code or `key_missing`; rejects with an AbortError when stopped. */
  stream(request: ModelRequest, signal: AbortSignal, wire?: WireObserver): AsyncIterable<StreamPart>
}

/** Time limits in milliseconds; a setting of each provider. */
export interface ProviderLimits {
  /** Longest wait for the answer to begin. */
  connectMs: number
  /** Longest silence: no bytes at all, from the request on. */
  idleMs: number
  /** Longest time with bytes but no meaning (keep-alives only). */
  progressMs: number
  /** Attempts after the first one. */
  maxRetries: number
  maxStreamBytes: number
}
