import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { compilePattern } from '../../main/search/regex-dialect'
import type { SearchEngine } from '../../main/search/search-engine'
import type { PathAuthority } from '../../main/workspace/path-authority'

type Draw = (limit: number) => number

/** A small generator with a seed, so that a failure can be repeated. */
export function randomFrom(seed: number): Draw {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const NAMES = [
  'a',
  'b.ts',
  'c d',
  '-n',
  "it's",
  'q"q',
  '[z]',
  '{x}',
  '#h',
  '!n',
  'Ä',
  '日',
  '.hid',
  'é.log',
  'back\\slash',
]
/** Without newlines: with those in folders ripgrep does not find what Git's rules say. Git itself is asked elsewhere. */
const HOSTILE: readonly Buffer[] = [
  Buffer.from('tab\there'),
  Buffer.from('odd\xe9', 'latin1'),
  Buffer.from('\xff\xfe', 'latin1'),
]
const RULES = ['*.log', '/a', 'b.ts', '!b.ts', 'c d/', '\\#h', '\\!n', '**/日', 'Ä/**', '[z]', '*', '!*/', 'q?q']
const LINES = [
  'foo',
  'bar foo',
  'fooo baz',
  'abc',
  'xyz',
  'é foo é',
  '日本 bar',
  '',
  'az',
  'bz tail',
  'FOO',
  'a\tz',
  '.foo*',
]
const PATTERNS = [
  'foo',
  'fo+',
  '^bar',
  'baz$',
  '[a-c]{2,}',
  'f.o',
  'é',
  'x|y|日',
  '[^a]z',
  '^$',
  '(?i)foo',
  '\\.foo\\*',
  '.',
]

/** Draws a tree below `folder`: names, rule files, encodings and line endings as people and enemies make them. */
export function plantTree(folder: string, draw: Draw): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(path.join(folder, '.git'), { recursive: true })
  plantFolder(Buffer.from(folder), 0, draw)
}

function plantFolder(folder: Buffer, depth: number, draw: Draw): void {
  mkdirSync(folder, { recursive: true })
  const below = (name: Buffer | string) => Buffer.concat([folder, Buffer.from('/'), Buffer.from(name)])
  if (draw(3) === 0) writeFileSync(below('.gitignore'), rules(draw))
  if (draw(5) === 0) writeFileSync(below('.ignore'), rules(draw))
  for (let count = 2 + draw(4); count > 0; count -= 1) {
    const hostile = process.platform === 'linux' && draw(5) === 0
    const name = hostile ? HOSTILE[draw(HOSTILE.length)] : NAMES[draw(NAMES.length)]
    try {
      if (depth < 3 && draw(3) === 0) plantFolder(below(name ?? 'a'), depth + 1, draw)
      else writeFileSync(below(name ?? 'a'), content(draw))
    } catch {
      // The name is taken by a file or a folder.
    }
  }
}

function rules(draw: Draw): string {
  return Array.from({ length: 1 + draw(3) }, () => `${RULES[draw(RULES.length)]}\n`).join('')
}

function content(draw: Draw): Buffer {
  const ending = draw(3) === 0 ? '\r\n' : '\n'
  const lines = Array.from({ length: draw(8) }, () => LINES[draw(LINES.length)] ?? '')
  const text = lines.join(ending) + (draw(2) === 0 ? ending : '')
  switch (draw(8)) {
    case 0:
      return Buffer.from(`\uFEFF${text}`)
    case 1:
      return Buffer.from(`\uFEFF${text}`, 'utf16le')
    case 2:
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
    case 3:
      return Buffer.concat([Buffer.from('caf\xe9\n', 'latin1'), Buffer.from(text)])
    case 4:
      return Buffer.concat([Buffer.from([0]), Buffer.from(text)])
    default:
      return Buffer.from(text)
  }
}

const Text = z.object({ text: z.string().optional(), bytes: z.string().optional() })
const Match = z.object({ type: z.literal('match'), data: z.object({ path: Text, line_number: z.number() }) })

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}

/** `path:line` of every matching line, as ripgrep sees it. */
export function peerLines(folder: string, pattern: string): string[] {
  const args = ['--json', '--no-config', '--crlf', '--no-ignore-global', '-e', pattern, '.']
  const { stdout } = spawnSync('rg', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const event = Match.safeParse(JSON.parse(line))
      if (!event.success) return []
      const { path: name, line_number: number } = event.data.data
      const shown = name.text ?? Buffer.from(name.bytes ?? '', 'base64').toString('utf8')
      return [`${shown.replace(/^\.\//, '')}:${number}`]
    })
    .sort()
}

/** The same of our engine. */
export async function ownLines(
  engines: { search: SearchEngine; paths: PathAuthority },
  folder: string,
  pattern: string,
): Promise<string[]> {
  const scope = { cwd: folder, roots: [folder], narrowed: false }
  const walk = await engines.search.walkOptions(
    await engines.paths.resolve('.', scope),
    {
      hidden: false,
      ignoreFiles: true,
      outsideGit: true,
      prune: ['.git'],
      maxEntries: 100_000,
      timeoutMs: 60_000,
    },
    scope,
  )
  const limits = {
    fileBytes: 1e7,
    totalBytes: 1e9,
    files: Number.POSITIVE_INFINITY,
    hits: Number.POSITIVE_INFINITY,
    hitsPerFile: 1e6,
  }
  const { files } = await engines.search.grep(
    {
      targets: [{ kind: 'folder', walk, prefix: '' }],
      patterns: [compilePattern(pattern, false)],
      limits,
      before: 0,
      after: 0,
      lineCharacters: 512,
      ranked: false,
      filesOnly: false,
      deadlineAt: Date.now() + 60_000,
    },
    new AbortController().signal,
  )
  return files.flatMap((file) => file.rows.map((row) => `${file.path}:${row.line}`)).sort()
}

/** Compares on one drawn tree; the first difference in words, or nothing. */
export async function differenceOn(
  engines: { search: SearchEngine; paths: PathAuthority },
  folder: string,
  seed: number,
): Promise<string | undefined> {
  const draw = randomFrom(seed)
  plantTree(folder, draw)
  for (let question = 0; question < 3; question += 1) {
    const pattern = PATTERNS[draw(PATTERNS.length)] ?? 'foo'
    const theirs = peerLines(folder, pattern)
    const ours = await ownLines(engines, folder, pattern)
    if (theirs.join('\0') === ours.join('\0')) continue
    const missing = theirs.filter((line) => !ours.includes(line))
    const added = ours.filter((line) => !theirs.includes(line))
    return `seed ${seed}, pattern ${pattern}: missing ${JSON.stringify(missing)}, added ${JSON.stringify(added)}`
  }
  return undefined
}
