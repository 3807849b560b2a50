import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatCost,
  formatDuration,
  formatStopwatch,
  formatTokens,
  formatWhen,
  plural,
} from '../../../../renderer/lib/format'

describe('amounts with their unit', () => {
  it.each([
    [8, '8 ms'],
    [999, '999 ms'],
    [3400, '3.4 s'],
    [41_000, '41 s'],
    [118_000, '1 m 58 s'],
    [7_500_000, '2 h 5 m'],
  ])('%i ms is %s', (ms, words) => expect(formatDuration(ms)).toBe(words))

  it.each([
    [0, '0:00'],
    [41_900, '0:41'],
    [725_000, '12:05'],
  ])('a stopwatch at %i ms shows %s', (ms, words) => expect(formatStopwatch(ms)).toBe(words))

  it.each([
    [512, '512 B'],
    [98_304, '96 KB'],
    [6_396_313, '6.1 MB'],
    [1024 ** 3 * 20, '20 GB'],
  ])('%i bytes is %s', (bytes, words) => expect(formatBytes(bytes)).toBe(words))

  it.each([
    [412, '412'],
    [1234, '1.2k'],
    [31_000, '31k'],
    [1_234_000, '1.2M'],
  ])('%i tokens is %s', (tokens, words) => expect(formatTokens(tokens)).toBe(words))

  it('gives small costs a third digit', () => {
    expect(formatCost(0.034)).toBe('$0.034')
    expect(formatCost(0.42)).toBe('$0.42')
  })

  it('counts', () => {
    expect(plural(1, 'file')).toBe('1 file')
    expect(plural(1204, 'file')).toBe('1,204 files')
  })
})

describe('formatWhen', () => {
  const now = new Date(2026, 10, 18, 14, 30).getTime()
  it('goes from now to a date', () => {
    expect(formatWhen(now - 5000, now)).toBe('now')
    expect(formatWhen(now - 4 * 60_000, now)).toBe('4 min')
    expect(formatWhen(new Date(2026, 10, 18, 10, 12).getTime(), now)).toBe('10:12')
    expect(formatWhen(new Date(2026, 10, 17, 10, 0).getTime(), now)).toMatch(/^\p{L}+/u)
    expect(formatWhen(new Date(2026, 9, 3).getTime(), now)).toMatch(/3/)
  })
})
