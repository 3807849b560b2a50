import { type Clock, systemClock } from '../platform/clock'
import { PlumblineError } from '../platform/errors'
import { type Keychain, keychainLabel, loadSystemKeychain } from './keychain'
import { Redactor } from './redact'

/** Longest wait for the system; a locked or hanging service must not hang the app. */
const KEYCHAIN_MS = 10_000

/** Where a secret is kept. */
export type SecretStore = 'keychain' | 'memory'

export interface KeychainStatus {
  available: boolean
  /** For people: the keychain's name, or why there is none and what follows from it. */
  label: string
}

export interface CredentialsOptions {
  /** Throws where there is no keychain. */
  loadKeychain?: () => Promise<Keychain>
  label?: string
  redactor?: Redactor
  limitMs?: number
  clock?: Clock
}

/**
 * The secrets of this program: in the keychain of the system, and where there is none in memory for this run only. The
 * keychain is not touched before the first secret is asked for. Nothing here ever throws because a keychain is missing,
 * locked or silent; `status` tells.
 */
export class Credentials {
  readonly redactor: Redactor
  readonly #load: () => Promise<Keychain>
  readonly #label: string
  readonly #limitMs: number
  readonly #clock: Clock
  readonly #memory = new Map<string, string>()
  /** What the keychain answered; null for nothing. */
  readonly #known = new Map<string, string | null>()
  #keychain: Promise<Keychain | undefined> | undefined
  #trouble: string | undefined
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: CredentialsOptions = {}) {
    this.#load = options.loadKeychain ?? (() => loadSystemKeychain())
    this.#label = options.label ?? keychainLabel()
    this.#limitMs = options.limitMs ?? KEYCHAIN_MS
    this.#clock = options.clock ?? systemClock
    this.redactor = options.redactor ?? new Redactor()
  }

  /** Looks for a keychain, by asking it for something. */
  async status(): Promise<KeychainStatus> {
    const keychain = await this.#open()
    if (keychain !== undefined && this.#known.size === 0) await this.#ask(keychain, 'probe')
    if (this.#trouble === undefined) return { available: true, label: this.#label }
    return {
      available: false,
      label: `No keychain: ${this.#trouble} Keys stay in memory and are gone when Plumbline quits.`,
    }
  }

  /** The secret and where it is, or undefined. */
  async get(name: string): Promise<{ value: string; store: SecretStore } | undefined> {
    const inMemory = this.#memory.get(name)
    if (inMemory !== undefined) return { value: inMemory, store: 'memory' }
    const known = this.#known.get(name)
    if (known !== undefined) return known === null ? undefined : { value: known, store: 'keychain' }
    const keychain = await this.#open()
    const value = keychain === undefined ? undefined : await this.#ask(keychain, name)
    if (value === undefined || value === null) return undefined
    this.redactor.remember(value)
    return { value, store: 'keychain' }
  }

  /** Keeps the secret and says where. */
  async set(name: string, value: string): Promise<SecretStore> {
    this.redactor.remember(value)
    const keychain = await this.#open()
    if (keychain !== undefined && (await this.#try(() => keychain.set(name, value)))) {
      this.#known.set(name, value)
      this.#memory.delete(name)
      return 'keychain'
    }
    this.#memory.set(name, value)
    return 'memory'
  }

  /** Keeps the secret for this run only, ahead of the keychain. */
  override(name: string, value: string): void {
    this.redactor.remember(value)
    this.#memory.set(name, value)
  }

  /** A secret for this run stands before everything else. */
  isOverridden(name: string): boolean {
    return this.#memory.has(name)
  }

  /**
   * Takes the secret away everywhere; one that is not there is no error. Throws `keychain_unavailable` when a secret
   * of the keychain could not be removed.
   */
  async remove(name: string): Promise<void> {
    this.#memory.delete(name)
    const keychain = await this.#open()
    if (keychain === undefined) return
    const removed = await this.#try(() => keychain.delete(name))
    if (!removed && typeof this.#known.get(name) === 'string') {
      throw new PlumblineError(
        'keychain_unavailable',
        `The key is still in the keychain: ${this.#trouble ?? 'it did not answer.'}`,
      )
    }
    this.#known.set(name, null)
  }

  /** Hides secrets in a text: all known ones, and what looks like one. */
  redact(text: string): string {
    return this.redactor.redact(text)
  }

  #open(): Promise<Keychain | undefined> {
    if (this.#trouble !== undefined) return Promise.resolve(undefined)
    this.#keychain ??= this.#limited(this.#load()).catch((thrown: unknown) => {
      this.#trouble = reasonOf(thrown)
      return undefined
    })
    return this.#keychain
  }

  /** The keychain's answer, remembered; undefined when it failed. */
  async #ask(keychain: Keychain, name: string): Promise<string | null | undefined> {
    let answer: string | null | undefined
    await this.#try(async () => {
      answer = this.#known.get(name) ?? (await keychain.get(name))
      this.#known.set(name, answer)
    })
    return answer
  }

  /**
   * False when it failed; the keychain is then left alone for this run, since each failure may cost the whole wait. One
   * call at a time: a call that hangs holds one of the few threads that all file work shares.
   */
  #try(action: () => Promise<void>): Promise<boolean> {
    const turn = this.#queue.then(async () => {
      if (this.#trouble !== undefined) return false
      try {
        await this.#limited(action())
        return true
      } catch (thrown) {
        this.#trouble = reasonOf(thrown)
        return false
      }
    })
    this.#queue = turn
    return turn
  }

  async #limited<Value>(work: Promise<Value>): Promise<Value> {
    const timer = new AbortController()
    const limit = this.#clock.sleep(this.#limitMs, timer.signal).then(() => {
      throw new PlumblineError('keychain_unavailable', `It did not answer within ${this.#limitMs / 1000} s.`)
    })
    // Whichever loses is not waited for.
    limit.catch(() => undefined)
    work.catch(() => undefined)
    try {
      return await Promise.race([work, limit])
    } finally {
      timer.abort()
    }
  }
}

function reasonOf(thrown: unknown): string {
  const text = (thrown instanceof Error ? thrown.message : String(thrown)).trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}
