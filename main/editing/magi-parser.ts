import type { HunkKind, OpMatch } from './patch'
import { rangeOp } from './patch-anchors'
import { messages } from './patch-messages'

const SEPARATORS = '\\.=|\\.\\.=|\\.\\.|=|-|…|,|\\s'
const VOCABULARY = 'magi'

const KINDS: Readonly<Record<string, HunkKind>> = {
  SWAP: 'replace',
  'SWAP.BLK': 'replace-block',
  DEL: 'delete',
  'DEL.BLK': 'delete-block',
  'INS.PRE': 'before',
  'INS.POST': 'after',
  'INS.BLK.POST': 'after-block',
  'INS.HEAD': 'head',
  'INS.TAIL': 'tail',
}

/** Reads an operation header of the magi vocabulary, or says that the text is none (EDIT-07, EDIT-11). */
export function matchMagiOp(text: string): OpMatch | undefined {
  const trimmed = text.trim()
  const verb = /^([A-Z]+(?:\.[A-Z]+)*)(?=[\s:]|$)\s*(.*)$/s.exec(trimmed)
  if (verb === null) return undefined
  const [, word = '', rest = ''] = verb
  if (word === 'REM') return rest === '' ? { op: { kind: 'remove', vocabulary: VOCABULARY } } : undefined
  if (word === 'MV') return matchMove(rest)
  const kind = KINDS[word]
  if (kind === undefined) return undefined
  const colon = rest.endsWith(':')
  const anchor = (colon ? rest.slice(0, -1) : rest).trim()
  if (kind === 'head' || kind === 'tail') {
    if (anchor !== '') return { malformed: `\`${word}:\` takes no line number.`, certain: false }
    return { op: { kind, start: 0, end: 0, vocabulary: VOCABULARY } }
  }
  const single = kind !== 'replace' && kind !== 'delete'
  const match = rangeOp(kind, anchor, { separators: SEPARATORS, single, vocabulary: VOCABULARY })
  if (colon && (kind === 'delete' || kind === 'delete-block') && 'op' in match) {
    return { malformed: messages.deleteColon(VOCABULARY), certain: true }
  }
  return match
}

function matchMove(rest: string): OpMatch {
  const quoted = /^(["'`])(.*)\1$/s.exec(rest)
  const to = quoted?.[2] ?? rest
  if (to === '') return { malformed: messages.moveEmpty, certain: false }
  return { op: { kind: 'move', to, vocabulary: VOCABULARY } }
}
