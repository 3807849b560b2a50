import { describe, expect, it } from 'vitest'
import { sourceFiles } from './source-files'

/** Lines of a source file. Above it a file does more than one thing. */
const MAX_LINES = 500

/** Files that may be longer, each with its reason and the date until which the reason holds (YYYY-MM-DD). */
const exceptions: Record<string, { reason: string; until: string }> = {}

const linesOf = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

describe('source files', () => {
  const files = sourceFiles(['main', 'preload', 'renderer', 'resources/build', 'test']).filter(
    ({ name }) => !name.startsWith('test/fixtures/'),
  )

  it('are found', () => {
    expect(files.length).toBeGreaterThan(100)
  })

  it(`have at most ${MAX_LINES} lines`, () => {
    const long = files.filter(({ name, text }) => linesOf(text) > MAX_LINES && exceptions[name] === undefined)
    expect(long.map(({ name, text }) => `${name}: ${linesOf(text)}`)).toEqual([])
  })

  it('are excepted only while there is a reason', () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const [name, { reason, until }] of Object.entries(exceptions)) {
      expect(reason.length, name).toBeGreaterThan(20)
      expect(until > today, `${name} until ${until}`).toBe(true)
      const file = files.find((candidate) => candidate.name === name)
      expect(file && linesOf(file.text) > MAX_LINES, `${name} needs no exception`).toBe(true)
    }
  })

  it('have names in kebab case that say what is inside', () => {
    const odd = files
      .map(({ name }) => name.split('/').at(-1) ?? '')
      .filter(
        (name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.(tsx?|mjs|cjs|css)$/.test(name) || /^utils?\./.test(name),
      )
    expect(odd).toEqual([])
  })
})
