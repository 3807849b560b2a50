import { PlumblineError } from '../platform/errors'
import { matchAtomicOp } from './atomic-parser'
import { matchMagiOp } from './magi-parser'
import type { Hunk, OpHeader, OpMatch, OpMatcher, PatchRules, Section, Vocabulary } from './patch'
import { type BodyRow, settleBody } from './patch-body'
import { readHeader } from './patch-header'
import { at, BARE_ROWS, EMPTY_INPUT, LITERAL_HEADER, messages, NO_SECTIONS } from './patch-messages'

const MATCHERS: Record<Vocabulary, OpMatcher> = { atomic: matchAtomicOp, magi: matchMagiOp }
const END_MARKERS = new Set(['*** End Patch', '*** Abort'])
const SENTINEL = /^\s*\*{3}\s*(?:Begin Patch|End of File|(?:Update File|Add File|Delete File|Move to)\s*:)/
const UNIFIED = /^\s*@@\s*-\d+(?:,\d+)?\s+\+\d+(?:,\d+)?\s*@@/
const BARE_NUMBER = /^\s*(\d+)\s*$/
const BARE_RANGE = /^\s*(\d+)\s*(?:\.=|\.\.|-|…)\s*(\d+)\s*(:?)\s*$/

interface OpenHunk {
  readonly op: Exclude<OpHeader, { kind: 'move' } | { kind: 'remove' }>
  readonly line: number
  readonly rows: BodyRow[]
  /** Blank rows that are content only if another row follows (EDIT-63). */
  blanks: number
}

interface OpenSection {
  readonly path: string
  readonly tag: string
  readonly line: number
  readonly hunks: Hunk[]
  readonly warnings: Set<string>
  move?: { to: string; line: number }
  remove?: { line: number }
}

/**
 * Parses a patch into sections with the operations of the rules' vocabularies. Throws `invalid_arguments` with the
 * contract's literal message. Sections of one authored path and tag come out as one, at the first one's place (EDIT-30).
 */
export function parsePatch(input: string, rules: PatchRules): Section[] {
  const parser = new PatchParser(rules)
  parser.feed(input)
  return parser.finish()
}

/** As `parsePatch` for a patch that may still be growing or wrong: what is understood so far. Never throws. */
export function parsePartialPatch(input: string, rules: PatchRules): Section[] {
  const parser = new PatchParser(rules)
  try {
    parser.feed(input)
  } catch {
    // What came before the mistake can be shown.
  }
  return parser.partial()
}

/** The patch without its envelope, so that several can be joined (EDIT-18). */
export function withoutEnvelope(input: string): string {
  const lines = patchLines(input)
  const end = lines.findIndex((line) => END_MARKERS.has(line.trimEnd()))
  const kept = end === -1 ? lines : lines.slice(0, end)
  return kept.filter((line) => line.trimEnd() !== '*** Begin Patch').join('\n')
}

class PatchParser {
  readonly #rules: PatchRules
  readonly #matchers: readonly OpMatcher[]
  readonly #words: Vocabulary
  readonly #sections = new Map<string, OpenSection>()
  #section: OpenSection | undefined
  #hunk: OpenHunk | undefined
  #comments: { line: number; text: string }[] = []

  constructor(rules: PatchRules) {
    this.#rules = rules
    this.#matchers = rules.vocabularies.map((vocabulary) => MATCHERS[vocabulary])
    this.#words = rules.vocabularies[0] ?? 'atomic'
  }

  feed(input: string): void {
    if (Buffer.byteLength(input) > this.#rules.maxInputBytes) fail(messages.tooLarge(this.#rules.maxInputBytes))
    if (input.trim() === '') fail(EMPTY_INPUT)
    let number = 0
    for (const line of patchLines(input)) {
      number += 1
      if (END_MARKERS.has(line.trimEnd())) break
      if (this.#section === undefined && !this.#isHeader(line)) this.#preamble(line)
      else this.#row(line, number)
    }
  }

  finish(): Section[] {
    this.#closeSection()
    const sections = [...this.#sections.values()]
    if (sections.every((section) => isIdle(section))) fail(NO_SECTIONS)
    const idle = sections.find((section) => isIdle(section))
    if (idle !== undefined) fail(at(idle.line, messages.noHunks(idle.path)))
    return sections.map(closed)
  }

  partial(): Section[] {
    if (this.#section !== undefined && this.#hunk !== undefined) {
      this.#section.hunks.push(hunkOf(this.#hunk))
    }
    return [...this.#sections.values()].map(closed)
  }

  #preamble(line: string): void {
    if (line.trim() === '' || line.trimEnd() === '*** Begin Patch') return
    if (UNIFIED.test(line)) fail(messages.leadingDiff(this.#words))
    fail(messages.noHeader(line.trim(), this.#words === 'atomic' ? 'edit ops' : 'SWAP/DEL/INS ops'))
  }

  #isHeader(line: string): boolean {
    return line.startsWith('[')
  }

  #row(line: string, number: number): void {
    if (this.#isHeader(line)) {
      this.#header(line, number)
      return
    }
    if (line.startsWith('+')) {
      this.#plusRow(line, number)
      return
    }
    const match = this.#match(line)
    if (match !== undefined && 'op' in match) this.#open(match.op, number)
    else if (line.trim() === '') this.#blank()
    else this.#rawRow(line, number, match)
  }

  #header(line: string, number: number): void {
    this.#closeSection()
    const header = readHeader(line)
    if ('malformed' in header) fail(header.malformed)
    const { path, tag } = header
    if (tag === undefined) fail(messages.missingTag(path))
    const known = this.#sections.get(path)
    if (known !== undefined && known.tag !== tag) fail(messages.conflictingTags(path, known.tag, tag))
    this.#section = known ?? { path, tag, line: number, hunks: [], warnings: new Set() }
    this.#sections.set(path, this.#section)
    if (this.#sections.size > this.#rules.maxSections) fail(messages.tooManySections(this.#rules.maxSections))
  }

  #open(op: OpHeader, line: number): void {
    this.#closeHunk()
    this.#comments = []
    const section = this.#section
    if (section === undefined) return
    if (op.kind === 'move' || op.kind === 'remove') {
      if (section.move !== undefined || section.remove !== undefined) fail(at(line, messages.moveTwice))
      if (op.kind === 'move') section.move = { to: op.to, line }
      else section.remove = { line }
    } else {
      this.#hunk = { op, line, rows: [], blanks: 0 }
    }
    if (section.remove !== undefined && (this.#hunk !== undefined || section.hunks.length > 0)) {
      fail(at(line, messages.removeAlone))
    }
  }

  #plusRow(line: string, number: number): void {
    this.#replayComments()
    const hunk = this.#hunkFor(line, number)
    const match = this.#match(line.slice(1))
    if (match !== undefined && 'op' in match) this.#section?.warnings.add(LITERAL_HEADER)
    addRow(hunk, { text: line.slice(1), bare: false })
  }

  #blank(): void {
    this.#replayComments()
    if (this.#hunk !== undefined && this.#hunk.rows.length > 0) this.#hunk.blanks += 1
  }

  #rawRow(line: string, number: number, match: OpMatch | undefined): void {
    this.#refuseForeign(line, number)
    if (match !== undefined && 'malformed' in match && (match.certain || this.#hunk === undefined)) {
      fail(at(number, match.malformed))
    }
    if (this.#hunk === undefined && line.trimStart().startsWith('#') && !this.#afterWholeFileOp()) {
      this.#comments.push({ line: number, text: line })
      return
    }
    this.#replayComments()
    const hunk = this.#hunkFor(line, number)
    if (line.trimStart().startsWith('-')) fail(at(number, messages.minusRow))
    if (!this.#rules.bareRows) fail(at(number, messages.bareRow(line)))
    this.#section?.warnings.add(BARE_ROWS)
    addRow(hunk, { text: line, bare: true })
  }

  /** Shapes of other patch formats are refused even inside a body (EDIT-32, EDIT-41). */
  #refuseForeign(line: string, number: number): void {
    const words = this.#hunk?.op.vocabulary ?? this.#words
    if (SENTINEL.test(line)) fail(at(number, messages.sentinel(line.trim(), words)))
    if (UNIFIED.test(line)) fail(at(number, messages.diffHeader(words)))
    if (line.trimStart().startsWith('@@')) fail(at(number, messages.bracketedHeader(line.trim(), words)))
    const single = BARE_NUMBER.exec(line)
    if (single?.[1] !== undefined) fail(at(number, messages.bareNumber(single[1], words)))
    const range = BARE_RANGE.exec(line)
    if (range !== null && (range[3] === ':' || this.#hunk === undefined)) {
      fail(at(number, messages.bareRange(range[1] ?? '', range[2] ?? '', words)))
    }
  }

  /** The hunk that a body row belongs to; refuses rows that have none and rows under a deletion. */
  #hunkFor(line: string, number: number): OpenHunk {
    const hunk = this.#hunk
    if (hunk === undefined) {
      if (this.#section?.remove !== undefined) fail(at(number, messages.removeAlone))
      if (this.#section?.move !== undefined) fail(at(number, messages.moveBody))
      fail(at(number, line.startsWith('+') ? messages.strayPlus(line) : messages.strayRow(line, this.#words)))
    }
    const { kind, vocabulary } = hunk.op
    if (kind === 'delete') fail(at(number, messages.deleteBody(vocabulary)))
    if (kind === 'delete-block') fail(at(number, messages.deleteBlockBody(vocabulary)))
    return hunk
  }

  #afterWholeFileOp(): boolean {
    return this.#section?.move !== undefined || this.#section?.remove !== undefined
  }

  /** Comments that no operation follows at once were meant as content, which has no place here (EDIT-31). */
  #replayComments(): void {
    const [first] = this.#comments
    this.#comments = []
    if (first !== undefined) fail(at(first.line, messages.strayRow(first.text, this.#words)))
  }

  #closeHunk(): void {
    const hunk = this.#hunk
    this.#hunk = undefined
    if (hunk === undefined) return
    const { kind, vocabulary } = hunk.op
    if (hunk.rows.length === 0) {
      if (kind === 'replace-block') fail(at(hunk.line, messages.emptyReplaceBlock(vocabulary)))
      if (kind === 'replace' && !this.#rules.emptyReplaceDeletes) fail(at(hunk.line, messages.emptyReplace(vocabulary)))
      if (kind !== 'replace' && kind !== 'delete' && kind !== 'delete-block') {
        fail(at(hunk.line, messages.emptyInsert(vocabulary)))
      }
    }
    this.#section?.hunks.push(hunkOf(hunk))
  }

  #closeSection(): void {
    this.#replayComments()
    this.#closeHunk()
  }

  #match(text: string): OpMatch | undefined {
    let malformed: OpMatch | undefined
    for (const matcher of this.#matchers) {
      const match = matcher(text)
      if (match !== undefined && 'op' in match) return match
      malformed ??= match
    }
    return malformed
  }
}

function hunkOf(hunk: OpenHunk): Hunk {
  const { kind, start, end, vocabulary } = hunk.op
  const rows = settleBody(hunk.rows)
  return {
    kind: kind === 'replace' && rows.length === 0 ? 'delete' : kind,
    start,
    end,
    vocabulary,
    rows,
    line: hunk.line,
  }
}

function addRow(hunk: OpenHunk, row: BodyRow): void {
  for (; hunk.blanks > 0; hunk.blanks -= 1) hunk.rows.push({ text: '', bare: true })
  hunk.rows.push(row)
}

function isIdle(section: OpenSection): boolean {
  return section.hunks.length === 0 && section.move === undefined && section.remove === undefined
}

function closed(section: OpenSection): Section {
  const { path, tag, line, hunks, move, remove, warnings } = section
  return { path, tag, line, hunks, warnings: [...warnings], ...(move && { move }), ...(remove && { remove }) }
}

/** Lines of a patch. Its own carriage returns never reach a file. */
function patchLines(input: string): string[] {
  const body = input.startsWith('\uFEFF') ? input.slice(1) : input
  return body.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

function fail(message: string): never {
  throw new PlumblineError('invalid_arguments', message)
}
