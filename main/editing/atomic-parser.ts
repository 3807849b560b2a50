import type { HunkKind, OpMatch } from './patch'
import { rangeOp } from './patch-anchors'
import { messages } from './patch-messages'

const SEPARATORS = '\\.\\.|-|…|\\s'
const VOCABULARY = 'atomic'

/** Reads an operation header of the atomic vocabulary, or says that the text is none (EDIT-08, EDIT-27). */
export function matchAtomicOp(text: string): OpMatch | undefined {
  const trimmed = text.trim()
  const verb = /^(replace|delete|insert)(?=[\s:]|$)\s*(.*)$/s.exec(trimmed)
  if (verb === null) return undefined
  const [, word, rest = ''] = verb
  const colon = rest.endsWith(':')
  const body = (colon ? rest.slice(0, -1) : rest).trim()
  if (word === 'insert') return matchInsert(body)
  const block = /^block(?:\s+(.*))?$/s.exec(body)
  const kind: HunkKind = word === 'replace' ? (block ? 'replace-block' : 'replace') : block ? 'delete-block' : 'delete'
  const options = { separators: SEPARATORS, single: block !== null, vocabulary: VOCABULARY } as const
  const match = rangeOp(kind, block ? (block[1] ?? '') : body, options)
  if (word === 'delete' && colon && 'op' in match) return { malformed: messages.deleteColon(VOCABULARY), certain: true }
  return match
}

function matchInsert(body: string): OpMatch | undefined {
  if (body === 'head' || body === 'tail') return { op: { kind: body, start: 0, end: 0, vocabulary: VOCABULARY } }
  const anchored = /^(before|after)\s+(block\s+)?(.*)$/s.exec(body)
  if (anchored === null) return { malformed: messages.expectedLine(body), certain: false }
  const [, side, block, anchor = ''] = anchored
  if (side === 'before' && block !== undefined)
    return { malformed: messages.expectedLine(`block ${anchor}`), certain: true }
  const kind: HunkKind = side === 'before' ? 'before' : block === undefined ? 'after' : 'after-block'
  return rangeOp(kind, anchor, { separators: SEPARATORS, single: true, vocabulary: VOCABULARY })
}
