import type { JSONSchema7, LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { ModelInfo } from '../../preload/contract/provider'
import { abortError, type Clock, systemClock } from '../platform/clock'
import { PlumblineError } from '../platform/errors'
import { type Dialect, dialects, type ReasoningEffort, type WireType } from './dialects'
import { brokenStream, toProviderFailure } from './failures'
import { PartTranslator } from './part-translator'
import { toPrompt } from './prompt'
import type { ModelRequest, Provider, StreamPart, WireObserver } from './types'
import { getJson, wireFetch } from './wire'

/** A list of models is a few kilobytes; some gateways list thousands. */
const MAX_MODEL_LIST_BYTES = 8 * 1024 * 1024

/** Longest wait for a list of models. */
const MODEL_LIST_MS = 15_000

/** A key and where it came from, in words for a message. */
export interface ProviderKey {
  value: string
  origin: string
}

export interface HttpProviderOptions {
  /** As the person knows it; used in refs and messages. */
  name: string
  type: WireType
  /** As the vendor's own client takes it. */
  baseUrl: string
  /** Sent with every request, over anything else. */
  headers?: Readonly<Record<string, string>>
  /** Asked for each request; undefined sends none. Throws `key_missing` where one is needed. */
  key(): Promise<ProviderKey | undefined>
  dispatcher: Dispatcher
  clock?: Clock
  /** How much a model is to think, by its id. */
  effort?(id: string): ReasoningEffort | undefined
  /** What is known of a model, by its id. */
  describe?(id: string): ModelInfo
}

/** A model API behind HTTP: one streamed request, judged event by event, without retries or time limits of its own. */
export class HttpProvider implements Provider {
  readonly id: string
  readonly #options: HttpProviderOptions
  readonly #dialect: Dialect
  readonly #clock: Clock
  readonly #root: string
  /** Models that refused to be asked for summaries of their reasoning. */
  readonly #withoutSummaries = new Set<string>()

  constructor(options: HttpProviderOptions) {
    this.id = options.name
    this.#options = options
    this.#dialect = dialects[options.type]
    this.#clock = options.clock ?? systemClock
    this.#root = this.#dialect.root(options.baseUrl)
  }

  /** Asks the provider for its list. Throws a failure of the closed set. */
  async models(signal?: AbortSignal): Promise<ModelInfo[]> {
    const limit = AbortSignal.timeout(MODEL_LIST_MS)
    const key = await this.#options.key()
    try {
      const answer = await getJson(`${this.#root}/models`, {
        name: this.id,
        baseUrl: this.#options.baseUrl,
        dispatcher: this.#options.dispatcher,
        headers: { ...this.#dialect.plainHeaders, ...this.#headers(key) },
        keyOrigin: key?.origin,
        now: () => this.#clock.now(),
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        maxBytes: MAX_MODEL_LIST_BYTES,
      })
      return modelIds(answer).map((id) => this.#describe(id))
    } catch (thrown) {
      if (limit.aborted && signal?.aborted !== true) {
        throw new PlumblineError(
          'provider_timeout',
          `${this.id} did not list its models within ${MODEL_LIST_MS / 1000} s.`,
        )
      }
      throw toProviderFailure(this.id, this.#options.baseUrl, thrown)
    }
  }

  async *stream(request: ModelRequest, signal: AbortSignal, wire?: WireObserver): AsyncGenerator<StreamPart> {
    const summaries = !this.#withoutSummaries.has(request.model)
    let began = false
    try {
      for await (const part of this.#attempt(request, signal, wire, summaries)) {
        began = true
        yield part
      }
      return
    } catch (thrown) {
      if (began || !summaries || !refusesSummaries(thrown)) throw thrown
      this.#withoutSummaries.add(request.model)
    }
    yield* this.#attempt(request, signal, wire, false)
  }

  async *#attempt(
    request: ModelRequest,
    signal: AbortSignal,
    wire: WireObserver | undefined,
    summaries: boolean,
  ): AsyncGenerator<StreamPart> {
    if (signal.aborted) throw abortError()
    try {
      const stream = await this.#open(request, signal, wire, summaries)
      const translator = new PartTranslator(this.id, request)
      for await (const part of stream) {
        for (const own of translator.translate(part)) {
          yield own
          if (own.type === 'finish') return
        }
      }
    } catch (thrown) {
      if (signal.aborted) throw abortError()
      throw toProviderFailure(this.id, this.#options.baseUrl, thrown)
    }
    throw brokenStream(this.id, 'it ended without its final event')
  }

  async #open(request: ModelRequest, signal: AbortSignal, observer: WireObserver | undefined, summaries: boolean) {
    const key = await this.#options.key()
    const fetch = wireFetch({
      name: this.id,
      baseUrl: this.#options.baseUrl,
      dispatcher: this.#options.dispatcher,
      headers: this.#headers(key),
      keyOrigin: key?.origin,
      judge: this.#dialect.judge(this.id),
      observer,
      now: () => this.#clock.now(),
    })
    const model = await this.#dialect.model(request.model, { name: this.id, baseUrl: this.#root, fetch })
    const { stream } = await model.doStream(this.#callOptions(request, signal, summaries))
    return stream
  }

  #callOptions(request: ModelRequest, signal: AbortSignal, summaries: boolean): LanguageModelV3CallOptions {
    const { imagesInResults, cacheMark } = this.#dialect
    const options: LanguageModelV3CallOptions = {
      prompt: toPrompt(request, {
        provider: this.id,
        imagesInResults,
        ...(cacheMark === undefined ? {} : { cacheMark }),
      }),
      abortSignal: signal,
      providerOptions: this.#dialect.options({ summaries, effort: this.#options.effort?.(request.model) }),
    }
    const most = request.maxOutputTokens ?? this.#dialect.maxOutputTokens?.(request.model)
    if (most !== undefined) options.maxOutputTokens = most
    if (request.tools.length > 0) {
      options.tools = request.tools.map((tool) => ({
        type: 'function',
        name: tool.name,
        description: tool.description,
        inputSchema: toSchema(tool.inputSchema),
      }))
      options.toolChoice = { type: 'auto' }
    }
    return options
  }

  #headers(key: ProviderKey | undefined): Record<string, string | null> {
    const own = key === undefined ? {} : this.#dialect.keyHeaders(key.value)
    return { authorization: null, 'x-api-key': null, ...own, ...lowerCased(this.#options.headers ?? {}) }
  }

  #describe(id: string): ModelInfo {
    return this.#options.describe?.(id) ?? { ref: `${this.id}:${id}`, label: id, images: true }
  }
}

const ModelList = z.union([
  z.object({ data: z.array(z.object({ id: z.string() })) }),
  z.object({ models: z.array(z.union([z.object({ id: z.string() }), z.object({ name: z.string() })])) }),
])

/** The ids of a list of models, in the form of OpenAI and Anthropic or of Ollama. Anything else lists none. */
export function modelIds(answer: unknown): string[] {
  const parsed = ModelList.safeParse(answer)
  if (!parsed.success) return []
  const entries = 'data' in parsed.data ? parsed.data.data : parsed.data.models
  return [...new Set(entries.map((entry) => ('id' in entry ? entry.id : entry.name)))]
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Some models show summaries to verified organisations only. */
function refusesSummaries(thrown: unknown): boolean {
  if (!(thrown instanceof PlumblineError) || thrown.code !== 'provider_invalid_request') return false
  return /reasoning[._ ]?summar/i.test(`${thrown.message} ${String(thrown.context.body ?? '')}`)
}

/** Our schemas are JSON Schema objects already; the wider type of the package is met by copying them key by key. */
function toSchema(schema: Record<string, unknown>): JSONSchema7 {
  const copy: JSONSchema7 = {}
  return Object.assign(copy, schema)
}
