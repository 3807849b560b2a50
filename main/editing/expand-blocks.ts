import { PlumblineError } from '../platform/errors'
import type { BlockTree } from '../syntax/block-resolver'
import type { ConcreteHunk } from './concrete-hunk'
import { contextRows } from './context-rows'
import { isPureCloser } from './line-shapes'
import type { Hunk } from './patch'
import { at } from './patch-messages'

export interface Expanded {
  readonly hunks: readonly ConcreteHunk[]
  /** `→ resolved lines A-B (K lines)`, in the numbers of the given lines (EDIT-23). */
  readonly echoes: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Gives block operations their lines. Anchors must exist. An insert that resolves nothing becomes a plain one with a
 * warning (EDIT-21); a replacement or deletion is refused (EDIT-22), or left out where `drop` is set (EDIT-59). Without a
 * resolver block operations are refused.
 */
export function expandBlocks(
  hunks: readonly Hunk[],
  lines: readonly string[],
  tree: BlockTree | undefined,
  drop = false,
): Expanded {
  const out: ConcreteHunk[] = []
  const echoes: string[] = []
  const warnings: string[] = []
  for (const hunk of hunks) {
    if (!isBlockOp(hunk)) {
      out.push(plain(hunk))
      continue
    }
    if (tree === undefined) {
      if (drop) continue
      throw new PlumblineError('edit_rejected', at(hunk.line, unavailable(hunk)))
    }
    const block = tree.resolve(hunk.start)
    if (block !== undefined) {
      out.push(onBlock(hunk, block))
      echoes.push(echo(hunk, block))
    } else if (hunk.kind === 'after-block') {
      out.push({ kind: 'after', start: hunk.start, end: hunk.start, rows: hunk.rows, source: hunk })
      warnings.push(lowered(hunk, lines[hunk.start - 1] ?? ''))
    } else if (!drop) throw new PlumblineError('edit_rejected', unresolved(hunk, lines))
  }
  return { hunks: out, echoes, warnings }
}

export function isBlockOp(hunk: Hunk): boolean {
  return hunk.kind === 'replace-block' || hunk.kind === 'delete-block' || hunk.kind === 'after-block'
}

function plain(hunk: Hunk): ConcreteHunk {
  const { start, end, rows } = hunk
  const source = hunk
  switch (hunk.kind) {
    case 'before':
    case 'after':
    case 'head':
    case 'tail':
      return { kind: hunk.kind, start, end, rows, source }
    default:
      return { kind: 'replace', start, end, rows, source }
  }
}

function onBlock(hunk: Hunk, block: { start: number; end: number }): ConcreteHunk {
  const { rows } = hunk
  if (hunk.kind === 'after-block') return { kind: 'after', start: block.end, end: block.end, rows, source: hunk, block }
  return { kind: 'replace', start: block.start, end: block.end, rows, source: hunk, block }
}

function spelled(hunk: Hunk): string {
  const atomic = {
    'replace-block': 'replace block',
    'delete-block': 'delete block',
    'after-block': 'insert after block',
  }
  const magi = { 'replace-block': 'SWAP.BLK', 'delete-block': 'DEL.BLK', 'after-block': 'INS.BLK.POST' }
  if (hunk.kind !== 'replace-block' && hunk.kind !== 'delete-block' && hunk.kind !== 'after-block') return ''
  return (hunk.vocabulary === 'atomic' ? atomic : magi)[hunk.kind]
}

function echo(hunk: Hunk, block: { start: number; end: number }): string {
  const lines = `${spelled(hunk)} ${hunk.start} → resolved lines ${block.start}-${block.end} (${block.end - block.start + 1} lines)`
  return hunk.kind === 'after-block' ? `${lines}; body lands after line ${block.end}` : lines
}

function lowered(hunk: Hunk, line: string): string {
  const asked = `\`${spelled(hunk)} ${hunk.start}:\``
  const applied = hunk.vocabulary === 'atomic' ? `\`insert after ${hunk.start}:\`` : `\`INS.POST ${hunk.start}:\``
  return isPureCloser(line)
    ? `${asked} anchors on a closing delimiter, so it was applied as plain ${applied}. Anchor on the line that OPENS the construct.`
    : `${asked} could not resolve a syntactic block on line ${hunk.start}, so it was applied as plain ${applied}. Verify the landing line; anchor on a line that OPENS a construct.`
}

function unresolved(hunk: Hunk, lines: readonly string[]): string {
  const anchor = hunk.start
  const remove = hunk.kind === 'delete-block'
  const asked = `\`${spelled(hunk)} ${anchor}${remove ? '' : ':'}\``
  const atomic = remove ? `delete ${anchor}..M` : `replace ${anchor}..M:`
  const magi = remove ? `DEL ${anchor}.=M` : `SWAP ${anchor}.=M:`
  const message = at(
    hunk.line,
    `${asked} could not resolve a syntactic block beginning on line ${anchor} (unsupported language, blank/closer line, or parse error). Use \`${hunk.vocabulary === 'atomic' ? atomic : magi}\` with explicit lines.`,
  )
  const context = contextRows(lines, [anchor])
  return context.text === '' ? message : `${message}\n\n${context.text}`
}

function unavailable(hunk: Hunk): string {
  const forms =
    hunk.vocabulary === 'atomic'
      ? '`replace block`/`delete block`/`insert after block`'
      : '`SWAP.BLK`/`DEL.BLK`/`INS.BLK.POST`'
  return `${forms} are not available here (no block resolver configured). Use a concrete line range.`
}
