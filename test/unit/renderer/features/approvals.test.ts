import { describe, expect, it } from 'vitest'
import type { Ask } from '../../../../preload/contract/effects'
import {
  answerForKey,
  type CardStroke,
  grantWords,
  harmWords,
} from '../../../../renderer/features/approvals/answer-keys'
import { firstRows } from '../../../../renderer/features/approvals/first-rows'
import { diffLines } from '../../../../renderer/features/changes/line-diff'

const ask: Ask = {
  question: 'Edit a.ts?',
  reason: 'mode ask',
  stage: 'mode',
  scopes: ['once', 'session', 'always', 'deny'],
}
const stroke = (key: string, extra: Partial<CardStroke> = {}): CardStroke => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  place: 'card',
  ...extra,
})

describe('answerForKey', () => {
  it('answers once, session, always and deny by their keys', () => {
    expect(['Enter', 's', 'a', 'd', 'S'].map((key) => answerForKey(ask, stroke(key)))).toEqual([
      'once',
      'session',
      'always',
      'deny',
      'session',
    ])
  })

  it('offers only the scopes of the question, and always deny', () => {
    const narrow: Ask = { ...ask, scopes: ['once'] }
    expect(['Enter', 's', 'a', 'd'].map((key) => answerForKey(narrow, stroke(key)))).toEqual([
      'once',
      null,
      null,
      'deny',
    ])
  })

  it('has no key for yes where something is lost', () => {
    const harm: Ask = { ...ask, harm: true }
    expect(['Enter', 's', 'a', 'd'].map((key) => answerForKey(harm, stroke(key)))).toEqual([null, null, null, 'deny'])
  })

  it('leaves text fields, modified keys and keys held down alone', () => {
    expect(answerForKey(ask, stroke('d', { place: 'field' }))).toBeNull()
    expect(answerForKey(ask, stroke('a', { ctrlKey: true }))).toBeNull()
    expect(answerForKey(ask, stroke('Enter', { repeat: true }))).toBeNull()
  })

  it('leaves Enter on a button to the button, and takes its letters', () => {
    expect(answerForKey(ask, stroke('Enter', { place: 'button' }))).toBeNull()
    expect(answerForKey(ask, stroke('s', { place: 'button' }))).toBe('session')
  })
})

describe('harmWords', () => {
  it('repeats the question, without its size', () => {
    expect(harmWords('Delete 2 folders, 214 files (6.1 MB)?')).toBe('Delete 2 folders, 214 files')
  })

  it('says the verb alone where the question is long', () => {
    expect(harmWords(`Delete ${'a'.repeat(60)}?`)).toBe('Delete')
  })
})

describe('grantWords', () => {
  const granting = (label: string): Ask => ({ ...ask, grant: { key: 'k', label } })

  it('puts short words into the button', () => {
    expect(grantWords(granting('For this file, this session'), '/p')).toEqual({
      button: 'For this file, this session',
      covers: null,
    })
  })

  it('says beside the button what it covers where the words are long, from the folder of the session on', () => {
    expect(grantWords(granting('Changes of /home/ada/code/harbor/src/backoff.js'), '/home/ada/code/harbor')).toEqual({
      button: 'For this session',
      covers: 'Changes of src/backoff.js',
    })
  })
})

describe('firstRows', () => {
  const file = (path: string, after: string) => ({
    content: {
      file: { path, kind: 'added' as const, before: null, after: null, added: 0, removed: 0 },
      before: null,
      after,
      notice: null,
    },
    rows: diffLines(null, after),
  })

  it('spends the rows on the files in order and counts the rest', () => {
    const { shown, left } = firstRows([file('a', '1\n2\n3'), file('b', '4\n5'), file('c', '6')], 4)
    expect(shown.map((part) => [part.content.file.path, part.rows.length])).toEqual([
      ['a', 3],
      ['b', 1],
    ])
    expect(left).toBe(2)
  })

  it('keeps a file that has no lines, so that its notice is seen', () => {
    const { shown, left } = firstRows([file('image.png', '')], 4)
    expect(shown).toHaveLength(1)
    expect(left).toBe(0)
  })
})
