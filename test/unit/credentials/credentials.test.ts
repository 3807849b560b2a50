import { describe, expect, it } from 'vitest'
import { Credentials } from '../../../main/credentials/credentials'
import { type Keychain, loadSystemKeychain } from '../../../main/credentials/keychain'
import { ManualClock, settle } from '../providers/manual-clock'

class FakeKeychain implements Keychain {
  readonly entries = new Map<string, string>()
  readonly asked: string[] = []
  fault: Error | 'hang' | undefined

  async get(account: string): Promise<string | null> {
    await this.#go(`get ${account}`)
    return this.entries.get(account) ?? null
  }
  async set(account: string, secret: string): Promise<void> {
    await this.#go(`set ${account}`)
    this.entries.set(account, secret)
  }
  async delete(account: string): Promise<void> {
    await this.#go(`delete ${account}`)
    this.entries.delete(account)
  }
  async #go(what: string): Promise<void> {
    this.asked.push(what)
    if (this.fault === 'hang') await new Promise(() => undefined)
    if (this.fault instanceof Error) throw this.fault
  }
}

function make() {
  const keychain = new FakeKeychain()
  const clock = new ManualClock()
  const credentials = new Credentials({ loadKeychain: async () => keychain, label: 'Test Keychain', clock })
  return { keychain, clock, credentials }
}

describe('Credentials', () => {
  it('keeps keys in the keychain and asks it once', async () => {
    const { keychain, credentials } = make()
    expect(await credentials.set('openai', 'sk-12345678')).toBe('keychain')
    expect(await credentials.get('openai')).toEqual({ value: 'sk-12345678', store: 'keychain' })
    expect(await credentials.get('work')).toBeUndefined()
    expect(await credentials.get('work')).toBeUndefined()
    expect(keychain.asked).toEqual(['set openai', 'get work'])
    expect(await credentials.status()).toEqual({ available: true, label: 'Test Keychain' })
  })

  it('does not touch the keychain before something is asked', () => {
    let loads = 0
    new Credentials({
      loadKeychain: async () => {
        loads += 1
        return new FakeKeychain()
      },
    })
    expect(loads).toBe(0)
  })

  it('removes keys; a missing one is no error', async () => {
    const { keychain, credentials } = make()
    keychain.entries.set('openai', 'sk-12345678')
    await credentials.get('openai')
    await credentials.remove('openai')
    await credentials.remove('never')
    expect(await credentials.get('openai')).toBeUndefined()
    expect(keychain.entries.size).toBe(0)
  })

  it('lets the override of this run win', async () => {
    const { keychain, credentials } = make()
    keychain.entries.set('openai', 'sk-keychain')
    credentials.override('openai', 'sk-this-run')
    expect(await credentials.get('openai')).toEqual({ value: 'sk-this-run', store: 'memory' })
    expect(keychain.entries.get('openai')).toBe('sk-keychain')
  })

  it('keeps keys in memory where there is no keychain, and says so', async () => {
    const credentials = new Credentials({
      loadKeychain: async () => {
        throw new Error('libsecret-1.so.0: cannot open shared object file')
      },
    })
    expect(await credentials.get('openai')).toBeUndefined()
    expect(await credentials.set('openai', 'sk-12345678')).toBe('memory')
    expect(await credentials.get('openai')).toEqual({ value: 'sk-12345678', store: 'memory' })
    const status = await credentials.status()
    expect(status.available).toBe(false)
    expect(status.label).toMatch(/^No keychain: libsecret.*\. Keys stay in memory and are gone when Plumbline quits\.$/)
    await credentials.remove('openai')
    expect(await credentials.get('openai')).toBeUndefined()
  })

  it('falls back to memory when the keychain is locked', async () => {
    const { keychain, credentials } = make()
    keychain.fault = new Error('Cannot create an item in a locked collection')
    expect(await credentials.set('openai', 'sk-12345678')).toBe('memory')
    expect((await credentials.status()).available).toBe(false)
  })

  it('S43 gives a silent keychain up after 10 s, and does not wait again', async () => {
    const { keychain, clock, credentials } = make()
    keychain.fault = 'hang'
    const first = credentials.get('openai')
    await clock.advance(9_999)
    let done = false
    void first.then(() => {
      done = true
    })
    await settle()
    expect(done).toBe(false)
    await clock.advance(1)
    expect(await first).toBeUndefined()
    expect(await credentials.get('anthropic')).toBeUndefined()
    expect(await credentials.set('openai', 'sk-12345678')).toBe('memory')
    expect(keychain.asked).toEqual(['get openai'])
    expect((await credentials.status()).label).toContain('did not answer within 10 s')
  })

  it('S43 lets one call hang at most', async () => {
    const { keychain, clock, credentials } = make()
    keychain.fault = 'hang'
    const all = Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => credentials.get(name)))
    await clock.advance(10_000)
    expect(await all).toEqual(Array(6).fill(undefined))
    expect(keychain.asked).toEqual(['get a'])
  })

  it('says when a key could not be removed', async () => {
    const { keychain, credentials } = make()
    await credentials.set('openai', 'sk-12345678')
    keychain.fault = new Error('denied')
    await expect(credentials.remove('openai')).rejects.toMatchObject({ code: 'keychain_unavailable' })
  })
})

describe('loadSystemKeychain', () => {
  it('S43 does not call the library on a Linux session without a bus', async () => {
    let loads = 0
    const load = async () => {
      loads += 1
      throw new Error('unused')
    }
    await expect(loadSystemKeychain('linux', {}, load)).rejects.toMatchObject({ code: 'keychain_unavailable' })
    expect(loads).toBe(0)
  })

  it('S43 says why the module is missing', async () => {
    const load = async () => {
      throw new Error("Cannot find module 'keytar'\nRequire stack: …")
    }
    await expect(loadSystemKeychain('darwin', {}, load)).rejects.toMatchObject({
      code: 'keychain_unavailable',
      message: "The keychain module can't be loaded: Cannot find module 'keytar'",
    })
  })
})

describe('redact', () => {
  const { credentials } = make()
  credentials.redactor.remember('correct horse "battery"')
  it.each([
    ['key correct horse "battery" end', 'key [redacted] end'],
    ['{"k":"correct horse \\"battery\\""}', '{"k":"[redacted]"}'],
    ['?k=correct%20horse%20%22battery%22', '?k=[redacted]'],
    ['OPENAI sk-proj-abcdefghij0123456789', 'OPENAI [redacted]'],
    ['ghp_0123456789abcdefghij0123456789abcdef', '[redacted]'],
    ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [redacted]'],
    ['{"x-api-key":"0123456789abcdef"}', '{"x-api-key":"[redacted]"}'],
    ['password = "longpassword1"', 'password = "[redacted]"'],
    ['https://me:s3cr3t@host/x', 'https://me:[redacted]@host/x'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest', '[redacted]\nrest'],
    ['the token budget is 5, tokens: 1200', 'the token budget is 5, tokens: 1200'],
    ['const password = x', 'const password = x'],
  ])('%j', (text, expected) => {
    expect(credentials.redact(text)).toBe(expected)
  })
})
