import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeImports, violationsOf } from './cruise'

const root = path.resolve(import.meta.dirname, '../..')

describe('the imports of the program', () => {
  it('follow the layers, have no cycle, and reach Electron in four places only', { timeout: 60_000 }, async () => {
    const result = await judgeImports(root)
    const seen = result.modules.filter(({ source }) => /^(main|preload|renderer)\/.*\.tsx?$/.test(source))
    const files = ['main', 'preload', 'renderer'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
        (name) => /\.tsx?$/.test(name) && !name.includes('.cache'),
      ),
    )
    expect(seen.length).toBe(files.length)
    expect(violationsOf(result)).toEqual([])
  })
})

/** What is planted: files by name, and the violation that has to be seen. */
const planted: { what: string; files: Record<string, string>; seen: string }[] = [
  {
    what: 'a value from a higher layer',
    files: {
      'main/platform/a.ts': "import { b } from '../agent/b'\nexport const a = b",
      'main/agent/b.ts': 'export const b = 1',
    },
    seen: 'layers: main/platform imports only from below: main/platform/a.ts → main/agent/b.ts',
  },
  {
    what: 'a type from a higher layer',
    files: {
      'main/search/a.ts': "import type { B } from '../toolsets/b'\nexport type A = B",
      'main/toolsets/b.ts': 'export type B = 1',
    },
    seen: 'layers: main/search imports only from below: main/search/a.ts → main/toolsets/b.ts',
  },
  {
    what: 'a re-export from a higher layer',
    files: { 'main/web/a.ts': "export { b } from '../reading/b'", 'main/reading/b.ts': 'export const b = 1' },
    seen: 'layers: main/web imports only from below: main/web/a.ts → main/reading/b.ts',
  },
  {
    what: 'a dynamic import of a higher layer',
    files: { 'main/web/a.ts': "export const a = import('../agent/b')", 'main/agent/b.ts': 'export const b = 1' },
    seen: 'layers: main/web imports only from below: main/web/a.ts → main/agent/b.ts',
  },
  {
    what: 'the other folder of a line',
    files: {
      'main/settings/a.ts': "import { b } from '../credentials/b'\nexport const a = b",
      'main/credentials/b.ts': 'export const b = 1',
    },
    seen: 'layers: main/settings imports only from below: main/settings/a.ts → main/credentials/b.ts',
  },
  {
    what: 'the main process in the window',
    files: {
      'renderer/app/a.tsx': "import { b } from '../../main/platform/b'\nexport const A = () => <p>{b}</p>",
      'main/platform/b.ts': 'export const b = 1',
    },
    seen: 'the window knows itself and the contract: renderer/app/a.tsx → main/platform/b.ts',
  },
  {
    what: 'Node in the window',
    files: { 'renderer/app/a.ts': "import { sep } from 'node:path'\nexport const a = sep" },
    seen: 'the window has no Node and no Electron: renderer/app/a.ts → path',
  },
  {
    what: 'Electron in an engine',
    files: { 'main/execution/a.ts': "import { app } from 'electron'\nexport const a = app" },
    seen: 'electron stays in four places: main/execution/a.ts → ',
  },
  {
    what: 'the disk in the agent',
    files: { 'main/agent/a.ts': "import { readFile } from 'node:fs/promises'\nexport const a = readFile" },
    seen: 'the agent touches no disk and starts nothing: main/agent/a.ts → fs/promises',
  },
  {
    what: 'a cycle, of types',
    files: {
      'main/agent/a.ts': "import type { B } from './b'\nexport type A = B | 1",
      'main/agent/b.ts': "import type { A } from './a'\nexport type B = A | 2",
    },
    seen: 'no cycle: main/agent/a.ts → main/agent/b.ts',
  },
  {
    what: 'a folder without a layer',
    files: {
      'main/helpers/a.ts': "import { b } from '../platform/b'\nexport const a = b",
      'main/platform/b.ts': 'export const b = 1',
    },
    seen: 'every file of the main process has a layer: main/helpers/a.ts → main/platform/b.ts',
  },
  {
    what: 'a schema library in the preload',
    files: { 'preload/index.ts': "import { z } from 'zod'\nexport const a = z" },
    seen: 'the preload knows the contract alone: preload/index.ts → ',
  },
]

describe('a planted violation is seen', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'plumbline-layers-'))
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(planted.map((plant, index) => ({ ...plant, index })))('$what', async ({ files, seen, index }) => {
    const home = path.join(folder, String(index))
    for (const [name, text] of Object.entries({
      'main/.keep.ts': '',
      'preload/.keep.ts': '',
      'renderer/.keep.ts': '',
      ...files,
    })) {
      mkdirSync(path.join(home, path.dirname(name)), { recursive: true })
      writeFileSync(path.join(home, name), text)
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(home, 'node_modules'))
    const violations = violationsOf(await judgeImports(home))
    expect(
      violations.some((violation) => violation.startsWith(seen)),
      violations.join('\n'),
    ).toBe(true)
  })
})
