import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Walker } from '../../../main/workspace/walker'

/** Trees and rule files drawn at random; the soak run draws more. */
const ROUNDS = Number(process.env.PLUMBLINE_FUZZ_ROUNDS ?? 60)

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ignore-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A small generator with a seed, so that a failure can be repeated. */
function random(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const NAMES = [
  'a',
  'b',
  'ab',
  'a.log',
  'b.log',
  'a b',
  'foo',
  'foo.o',
  '#x',
  '!y',
  '[z]',
  'src',
  'out',
  'Ä',
  'a\\b',
  'a\nb',
  'q"q',
  "it's",
]
const PARTS = [
  'a',
  'b',
  '*',
  '**',
  '?',
  '*.log',
  'foo*',
  '[ab]',
  '[!a]',
  'src',
  'out',
  '*.o',
  '\\#x',
  '\\!y',
  'a\\ b',
  '[[:alpha:]]',
  '\\[z\\]',
  'a\\\\b',
  'Ä',
]

function ruleFile(draw: (limit: number) => number): string {
  const lines = Array.from({ length: 1 + draw(6) }, () => {
    const parts = Array.from({ length: 1 + draw(3) }, () => PARTS[draw(PARTS.length)] ?? 'a')
    return `${draw(4) === 0 ? '!' : ''}${draw(4) === 0 ? '/' : ''}${parts.join('/')}${draw(4) === 0 ? '/' : ''}${draw(8) === 0 ? '  ' : ''}`
  })
  return `${lines.join(draw(5) === 0 ? '\r\n' : '\n')}\n`
}

function plant(folder: string, depth: number, draw: (limit: number) => number): void {
  mkdirSync(folder, { recursive: true })
  if (draw(3) === 0) writeFileSync(path.join(folder, '.gitignore'), ruleFile(draw))
  for (let count = 0; count < 4; count += 1) {
    const target = path.join(folder, NAMES[draw(NAMES.length)] ?? 'a')
    if (depth < 3 && draw(2) === 0) {
      try {
        plant(target, depth + 1, draw)
      } catch {}
    } else {
      try {
        writeFileSync(target, '')
      } catch {}
    }
  }
}

function walked(folder: string): string[] {
  const walker = new Walker({
    root: folder,
    hidden: true,
    ignoreFiles: true,
    outsideGit: true,
    prune: ['.git'],
    maxEntries: 100_000,
    deadlineAt: Date.now() + 60_000,
    excluded: [],
  })
  return [...walker.walk()]
    .filter((entry) => entry.kind === 'file')
    .map((entry) => entry.relative)
    .sort()
}

/** The rule files of the top of a tree, for the message of a failure. */
function rulesIn(folder: string): string {
  const files = ['.gitignore', '.git/info/exclude']
    .map((name) => path.join(folder, name))
    .filter((file) => existsSync(file))
  return JSON.stringify(files.map((file) => readFileSync(file, 'utf8')))
}

describe('ignore rules', () => {
  it('FIND-12 agrees with git on random trees and rule files', () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const draw = random(seed)
      const folder = path.join(root, String(seed))
      plant(folder, 0, draw)
      writeFileSync(path.join(folder, '.gitignore'), ruleFile(draw))
      execFileSync('git', ['init', '-q', folder])
      if (draw(2) === 0) writeFileSync(path.join(folder, '.git/info/exclude'), ruleFile(draw))
      const listed = spawnSync('git', ['ls-files', '-z', '--others', '--cached', '--exclude-standard'], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect(walked(folder), `seed ${seed}: ${rulesIn(folder)}`).toEqual(
        listed.stdout
          .split('\0')
          .filter((file) => file !== '')
          .sort(),
      )
    }
  })

  it('FIND-12 takes rules of the folders above, of .ignore first, and of a nested checkout alone', () => {
    execFileSync('git', ['init', '-q', root])
    const write = (name: string, text: string) => {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
      writeFileSync(path.join(root, name), text)
    }
    write('.gitignore', '*.log\n/sub/deep/x.txt\n')
    write('sub/.ignore', '!keep.log\n')
    for (const file of ['sub/keep.log', 'sub/b.log', 'sub/deep/x.txt', 'sub/deep/y.txt', 'inner/c.log']) write(file, '')
    execFileSync('git', ['init', '-q', path.join(root, 'inner')])
    expect(walked(path.join(root, 'sub'))).toEqual(['.ignore', 'deep/y.txt', 'keep.log'])
    expect(walked(root)).toContain('inner/c.log')
  })

  it('FIND-06 FIND-07 stops at its limits and says so', () => {
    for (let index = 0; index < 50; index += 1) writeFileSync(path.join(root, `f${index}`), '')
    const options = {
      root,
      hidden: false,
      ignoreFiles: true,
      outsideGit: true,
      prune: [],
      excluded: [],
      deadlineAt: Date.now() + 60_000,
    }
    const limited = new Walker({ ...options, maxEntries: 10 })
    expect([...limited.walk()]).toHaveLength(9)
    expect(limited.report).toMatchObject({ entriesScanned: 10, entryLimitReached: true })
    expect(limited.complete).toBe(false)
    const excluded = new Walker({ ...options, maxEntries: 1000, excluded: [path.join(root, 'f7')] })
    expect([...excluded.walk()].map((entry) => entry.name)).not.toContain('f7')
    expect(excluded.report.entriesOmitted).toBe(1)
  })
})
