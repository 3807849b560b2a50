import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { OutlineRow } from '../../main/syntax/ast-types'

const Place = z.object({ line: z.number(), column: z.number() })
const Range = z.object({ start: Place, end: Place })
const Member = z.object({ symbolType: z.string(), name: z.string(), range: Range, signature: z.string() })
const Item = Member.extend({ isImport: z.boolean(), isExported: z.boolean(), members: z.array(Member).default([]) })
const File = z.object({ path: z.string(), language: z.string(), items: z.array(Item) })

/** The program that outlines are compared with; undefined where its package has none for this machine. */
export function outlineProgram(): string | undefined {
  const name = process.platform === 'win32' ? 'ast-grep.exe' : 'ast-grep'
  const libc = process.platform === 'linux' ? '-gnu' : process.platform === 'win32' ? '-msvc' : ''
  try {
    return createRequire(import.meta.url).resolve(`@ast-grep/cli-${process.platform}-${process.arch}${libc}/${name}`)
  } catch {
    return undefined
  }
}

/** One fact a line, as the program sees it, 1-based as here. Members stand under their parent. */
export function oracleFacts(program: string, folder: string): Map<string, string[]> {
  const output = execFileSync(
    program,
    ['outline', '--json=stream', '--view', 'expanded', '--items', 'all', '--no-ignore', 'hidden', '.'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } },
  )
  const facts = new Map<string, string[]>()
  for (const line of output.split('\n').filter((text) => text !== '')) {
    const file = File.parse(JSON.parse(line))
    const found = file.items.flatMap((item) => [
      fact(item, 1),
      ...item.members.map((member) => `${item.name} > ${fact(member, 1)}`),
    ])
    facts.set(file.path.replace(/^\.\//, ''), found)
  }
  return facts
}

/** The same facts of our rows. */
export function ownFacts(rows: readonly OutlineRow[]): Map<string, string[]> {
  const facts = new Map<string, string[]>()
  for (const { path, item } of rows) {
    const found = facts.get(path) ?? []
    found.push(fact(item, 0), ...(item.members ?? []).map((member) => `${item.name} > ${fact(member, 0)}`))
    facts.set(path, found)
  }
  return facts
}

function fact(
  entry: { symbolType: string; name: string; range: z.infer<typeof Range>; signature?: string },
  add: number,
) {
  const { start, end } = entry.range
  const range = `${start.line + add}:${start.column + add}-${end.line + add}:${end.column + add}`
  return `${entry.symbolType} ${entry.name} ${range} ${entry.signature ?? ''}`
}
