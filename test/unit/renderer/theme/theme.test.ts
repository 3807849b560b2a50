import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, vi } from 'vitest'

type ThemeModule = typeof import('../../../../renderer/theme/theme')
let theme: ThemeModule

beforeAll(async () => {
  vi.stubGlobal('window', { matchMedia: () => ({ matches: false, addEventListener: () => undefined }) })
  theme = await import('../../../../renderer/theme/theme')
})

const sheet = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../renderer/theme/${name}.css`, import.meta.url)), 'utf8')

const tokensOf = (css: string) => new Set([...css.matchAll(/^\s*(--[\w-]+):/gm)].map((match) => match[1]))

describe('themes', () => {
  it('follow the system unless one was chosen, with contrast before dark', () => {
    expect(theme.resolveTheme('system', false, false)).toBe('light')
    expect(theme.resolveTheme('system', false, true)).toBe('dark')
    expect(theme.resolveTheme('system', true, true)).toBe('contrast')
    expect(theme.resolveTheme('light', true, true)).toBe('light')
  })

  it('give every colour a value in each of them', () => {
    const light = [...tokensOf(sheet('light'))]
    expect(light.length).toBeGreaterThan(60)
    for (const name of ['dark', 'contrast']) {
      const tokens = tokensOf(sheet(name))
      expect(light.filter((token) => !tokens.has(token))).toEqual([])
    }
    const forced = tokensOf(sheet('forced-colors'))
    const unmapped = light.filter((token) => !forced.has(token) && !/^--(scrim|on-)/.test(token ?? ''))
    expect(unmapped).toEqual([])
  })

  it('are the only place with raw colours', () => {
    for (const name of [
      'base',
      'controls',
      'frame',
      'floating',
      'sessions',
      'transcript',
      'prose',
      'composer',
      'pages',
    ]) {
      expect(sheet(name).match(/#[0-9a-f]{3,8}\b|rgba?\(|hsl\(/gi) ?? []).toEqual([])
    }
  })
})
