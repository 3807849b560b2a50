import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type CallItem, itemAt, type SessionState } from '../../../../preload/contract/session-state'
import {
  callIcon,
  callSummary,
  prettyArguments,
  toolIcon,
  unfoldsByItself,
} from '../../../../renderer/features/transcript/call-words'
import { createFakeBridge } from '../../../support/fake-bridge'
import { busyBodies, doneBodies, foldBodies } from '../../../support/fake-sessions'

type Announcer = typeof import('../../../../renderer/features/transcript/announcer')
type LiveRow = typeof import('../../../../renderer/features/transcript/live-row')
type CodeBlock = typeof import('../../../../renderer/features/transcript/code-block')
let announcer: Announcer
let liveRow: LiveRow
let codeBlock: CodeBlock

beforeAll(async () => {
  vi.stubGlobal('window', { plumbline: createFakeBridge('busy') })
  vi.stubGlobal('navigator', { userAgent: 'X11; Linux' })
  announcer = await import('../../../../renderer/features/transcript/announcer')
  liveRow = await import('../../../../renderer/features/transcript/live-row')
  codeBlock = await import('../../../../renderer/features/transcript/code-block')
})

const busy = foldBodies(busyBodies('s_00000busy'), 1_000_000)

function call(state: SessionState, id: string): CallItem {
  for (let index = 0; index < state.length; index += 1) {
    const item = itemAt(state, index)
    if (item?.kind === 'call' && item.call === id) return item
  }
  throw new Error(`no call ${id}`)
}

describe('the row of a call', () => {
  it('says how it ended, short', () => {
    expect(callSummary(call(busy, 'c1')).text).toBe('212 lines')
    expect(callSummary(call(busy, 'c3')).text).toBe('')
    expect(callSummary(call(busy, 'c4'))).toEqual({ text: 'exit 1', tone: 't-danger' })
    expect(callSummary(call(busy, 'c5'))).toEqual({ text: 'denied by you', tone: 't-warn' })
    expect(callSummary(call(busy, 'c7')).text).toBe('waits for you')
  })

  it('gives the state a shape, and the tool one when it is done', () => {
    expect(callIcon(call(busy, 'c1'))).toBe('read')
    expect(callIcon(call(busy, 'c4'))).toBe('fail')
    expect(callIcon(call(busy, 'c5'))).toBe('block')
    expect(callIcon(call(busy, 'c6'))).toBe('arc')
    expect(callIcon(call(busy, 'c7'))).toBe('need')
    expect(toolIcon('ast_grep')).toBe('search')
    expect(toolIcon('something_new')).toBe('tool')
  })

  it('unfolds by itself while it prints and when it failed', () => {
    expect(unfoldsByItself(call(busy, 'c6'))).toBe(true)
    expect(unfoldsByItself(call(busy, 'c4'))).toBe(true)
    expect(unfoldsByItself(call(busy, 'c1'))).toBe(false)
    expect(unfoldsByItself(call(busy, 'c7'))).toBe(false)
  })

  it('shows broken arguments as they came', () => {
    expect(prettyArguments('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(prettyArguments('{"a":')).toBe('{"a":')
  })

  it('does not indent what is nested without end, and does not count brackets in strings', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    expect(prettyArguments(deep)).toBe(deep)
    const text = JSON.stringify({ a: `"${'['.repeat(500)}\\` })
    expect(prettyArguments(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
  })
})

describe('the live end', () => {
  it('says what the turn is doing', () => {
    expect(liveRow.liveWords(busy, 'm')).toBe('Waits for you')
    const done = foldBodies(doneBodies('s_00000done'), 1_000_000)
    expect(liveRow.liveWords(done, 'coder')).toBe('Waiting for coder')
    const writing = { ...done, live: { text: 'a', reasoning: '', calls: [] } }
    expect(liveRow.liveWords(writing, 'm')).toBe('Writing')
    expect(liveRow.liveWords({ ...done, live: { text: '', reasoning: 'a', calls: [] } }, 'm')).toBe('Reasoning')
    expect(liveRow.liveWords({ ...busy, waiting: [] }, 'm')).toBe('Running Bash')
  })

  it('is read out by whole sentences', () => {
    const text = 'First. Second goes on'
    expect(text.slice(0, announcer.sentenceEnd(text, 0))).toBe('First.')
    expect(announcer.sentenceEnd(text, 6)).toBe(-1)
    expect(announcer.sentenceEnd('a 3.5 s wait', 0)).toBe(-1)
    expect(announcer.sentenceEnd('line\nnext', 0)).toBe(5)
  })
})

describe('codePieces', () => {
  it('cuts growing code so that only the last piece changes, and loses nothing', () => {
    const code = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')
    const before = codeBlock.codePieces(code)
    const after = codeBlock.codePieces(`${code} and more`)
    expect(before.join('')).toBe(code)
    expect(before).toHaveLength(3)
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
    expect(after[2]).toBe(`${before[2]} and more`)
  })

  it('colours the beginning of a very long code and keeps all of it', () => {
    const pieces = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(1024, ' '))
    const { coloured, plain } = codeBlock.colouredPieces(pieces)
    expect(coloured).toEqual(pieces.slice(0, 96))
    expect(coloured.join('') + plain).toBe(pieces.join(''))
    expect(codeBlock.colouredPieces(['a', 'b'])).toEqual({ coloured: ['a', 'b'], plain: '' })
    expect(codeBlock.colouredPieces(['x'.repeat(100_000)])).toEqual({ coloured: [], plain: 'x'.repeat(100_000) })
  })
})
