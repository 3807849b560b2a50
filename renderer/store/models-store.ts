import { create } from 'zustand'
import type { ModelRef } from '../../preload/contract/ids'
import type { ModelInfo, ProviderStatus } from '../../preload/contract/provider'
import { bridge } from '../bridge'
import { changeChoices, useSessions } from './sessions-store'

interface ModelsStore {
  readonly providers: readonly ProviderStatus[]
  readonly defaultModel: ModelRef | null
  /** When the servers on this machine were last looked for, or null. */
  readonly checkedAt: number | null
  readonly checking: boolean
}

/** Providers, their models, and the one that new sessions use. */
export const useModels = create<ModelsStore>(() => ({
  providers: [],
  defaultModel: null,
  checkedAt: null,
  checking: false,
}))

/** Reads the providers and the default model. */
export async function loadModels(): Promise<void> {
  const [providers, defaultModel] = await Promise.all([bridge.provider.list(), bridge.provider.getDefault()])
  useModels.setState({ providers, defaultModel })
  const { choices } = useSessions.getState()
  if (choices.model === null && defaultModel !== null) changeChoices({ model: defaultModel })
}

/** Looks again for model servers on this machine. */
export async function discoverModels(): Promise<void> {
  useModels.setState({ checking: true })
  try {
    const providers = await bridge.provider.discover()
    useModels.setState({ providers, checkedAt: Date.now() })
  } finally {
    useModels.setState({ checking: false })
  }
}

/** Makes a model the one that new sessions use. */
export async function chooseDefaultModel(model: ModelRef): Promise<void> {
  await bridge.provider.setDefault(model)
  useModels.setState({ defaultModel: model })
  changeChoices({ model })
}

/** What is known of a model, or undefined for one that no provider lists. */
export function modelInfo(providers: readonly ProviderStatus[], model: ModelRef | null): ModelInfo | undefined {
  if (model === null) return undefined
  for (const provider of providers) {
    const found = provider.models.find((info) => info.ref === model)
    if (found !== undefined) return found
  }
  return undefined
}

/** The model as people read it. A script says so in full: there is no model in it. */
export function modelLabel(providers: readonly ProviderStatus[], model: ModelRef | null): string {
  if (model === null) return 'Choose a model…'
  if (model.startsWith('scripted:')) return 'script, no model'
  return modelInfo(providers, model)?.label ?? model
}
