import { describe, expect, it } from 'vitest'
import { cutAtCharacter, decodeText } from '../../../main/ipc/blob-text'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('cutAtCharacter', () => {
  it.each([
    ['aé', 2, 'a'],
    ['aé', 3, 'aé'],
    ['€€', 5, '€'],
    ['👍', 3, ''],
    ['abc', 10, 'abc'],
  ])('%s at %i', (text, limit, expected) => {
    expect(decodeText(cutAtCharacter(bytes(text), limit))).toBe(expected)
  })
})

describe('decodeText', () => {
  it('keeps a byte order mark', () => {
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa')
  })

  it('takes NUL and broken UTF-8 as no text', () => {
    expect(decodeText(Uint8Array.of(0x61, 0))).toBeNull()
    expect(decodeText(Uint8Array.of(0xff, 0xfe))).toBeNull()
  })
})
