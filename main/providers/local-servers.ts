import type { Dispatcher } from 'undici'
import { PlumblineError } from '../platform/errors'
import { modelIds } from './http-provider'
import { isLoopback } from './loopback-address'
import { getJson } from './wire'

/** A server on this machine answers at once or is not there. */
const PROBE_MS = 500

/** A list of local models. */
const MAX_LIST_BYTES = 1024 * 1024

/** Model servers that are looked for on this machine. All of them speak chat completions. */
export const localServers = [
  { name: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', env: 'OLLAMA_HOST', port: 11434 },
  { name: 'lmstudio', label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', env: 'LMSTUDIO_HOST', port: 1234 },
  { name: 'llamacpp', label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', env: 'LLAMACPP_HOST', port: 8080 },
] as const

/**
 * The base URL that `OLLAMA_HOST` means: `host`, `host:port`, `:port` or a URL. An address that stands for all
 * interfaces is reached on this machine. Undefined for what can't be read.
 */
export function baseUrlOfHost(host: string, port: number): string | undefined {
  const text = host.trim()
  if (text === '') return undefined
  const withScheme = /^https?:\/\//i.test(text) ? text : `http://${text.startsWith(':') ? `127.0.0.1${text}` : text}`
  if (!URL.canParse(withScheme)) return undefined
  const url = new URL(withScheme)
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
  if (url.port === '' && !/^https?:\/\//i.test(text)) url.port = String(port)
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? '/v1' : path}`
}

export interface ProbeTarget {
  name: string
  /** The root of the paths: `<root>/models` lists the models. */
  root: string
  /** The person named the address, so a server that wants a key is the right one. */
  configured: boolean
}

/** The models of each server that answers with a list; only servers on this machine are asked, all at once. */
export async function probeLocal(
  targets: readonly ProbeTarget[],
  dispatcher: Dispatcher,
  probeMs = PROBE_MS,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  await Promise.all(
    targets.map(async (target) => {
      if (!isLoopback(target.root)) return
      const models = await listModels(target, dispatcher, probeMs)
      if (models !== undefined) found.set(target.name, models)
    }),
  )
  return found
}

async function listModels(target: ProbeTarget, dispatcher: Dispatcher, probeMs: number): Promise<string[] | undefined> {
  const { name, root } = target
  try {
    const answer = await getJson(`${root}/models`, {
      name,
      baseUrl: root,
      dispatcher,
      headers: {},
      now: () => Date.now(),
      signal: AbortSignal.timeout(probeMs),
      maxBytes: MAX_LIST_BYTES,
    })
    // Something else may use the port; only a list of models makes it a model server.
    return looksLikeList(answer) ? modelIds(answer) : undefined
  } catch (thrown) {
    const wantsKey = thrown instanceof PlumblineError && thrown.code === 'provider_auth'
    return wantsKey && target.configured ? [] : undefined
  }
}

function looksLikeList(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  return ('data' in answer && Array.isArray(answer.data)) || ('models' in answer && Array.isArray(answer.models))
}
