import { afterEach, beforeEach, describe, expect } from 'vitest'
import { streamingPreview } from '../../main/editing/streaming-preview'
import { atomicEditPolicy } from '../../main/toolsets/atomic/edit'
import { magiEditPolicy } from '../../main/toolsets/magi/hash-edit'
import { plumblineEditPolicy } from '../../main/toolsets/plumbline/edit'
import { ALL, ANCHORED, row } from '../support/contract-row'
import { makeEditBench } from '../support/edit-bench'
import { openAnchored, spell } from '../support/edit-dialect'

let here: Awaited<ReturnType<typeof makeEditBench>>

beforeEach(async () => {
  here = await makeEditBench({ judged: { mode: 'ask', answer: 'session' } })
})
afterEach(() => here.bench.dispose())

type Toolset = (typeof ALL)[number]

/** A session that may edit `a.txt` after reading it. */
async function open(toolset: Toolset) {
  if (toolset === 'o4') {
    const session = here.open.o4()
    const edit = (name: string, from: string, to: string) =>
      session.call('edit', { file_path: here.at(name), old_string: from, new_string: to })
    return { session, edit }
  }
  const { session, raw, tagOf } = await openAnchored(here, toolset, '')
  const edit = async (name: string, _from: string, to: string) =>
    raw(`[${name}#${await tagOf(name)}]\n${spell(toolset, 'replace 1..1:')}\n+${to}`)
  return { session, edit }
}

describe('approval of edits', () => {
  row(
    'EDIT-05',
    ALL,
    'the question comes with the exact change, and one grant covers its file alone',
    async (toolset) => {
      await here.bench.write({ 'a.txt': 'a\nb\n', 'b.txt': 'a\n' })
      const { session, edit } = await open(toolset)
      expect((await edit('a.txt', 'a', 'A')).ok).toBe(true)
      const preview = session.prepared.at(-1)
      if (preview?.kind !== 'diff') throw new Error('no diff')
      const [file] = preview.files
      expect(preview.files.map(({ path, kind, added, removed }) => [path, kind, added, removed])).toEqual([
        ['a.txt', 'modified', 1, 1],
      ])
      const texts = [file?.before, file?.after].map(async (ref) =>
        Buffer.from(await session.scope.blobs.get(ref?.id ?? '')),
      )
      expect((await Promise.all(texts)).map(String)).toEqual(['a\nb\n', 'A\nb\n'])
      expect(session.asked.map((ask) => ask.grant?.key)).toEqual([`file:${here.at('a.txt')}`])
      await edit('a.txt', 'A', 'AA')
      expect(session.asked).toHaveLength(1)
      await edit('b.txt', 'a', 'A')
      expect(session.asked).toHaveLength(2)
    },
  )

  row('EDIT-44', ANCHORED, 'an edit that changes nothing asks nobody', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\n' })
    const { session, edit } = await open(toolset)
    expect((await edit('a.txt', 'a', 'a')).text).toContain('produced no change')
    expect(session.asked).toEqual([])
  })

  row('EDIT-15', ANCHORED, 'several files need the grant of each', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    const { session, raw, tagOf } = await openAnchored(here, toolset, '')
    const both = async (text: string) => {
      const parts: string[] = []
      for (const name of ['a.txt', 'b.txt'])
        parts.push(`[${name}#${await tagOf(name)}]\n${spell(toolset, 'replace 1..1:')}\n+${text}`)
      return raw(parts.join('\n'))
    }
    await both('one')
    expect(session.asked[0]?.grant?.key).toBe(`file:${here.at('a.txt')}\nfile:${here.at('b.txt')}`)
    await both('two')
    const alone = await raw(`[b.txt#${await tagOf('b.txt')}]\n${spell(toolset, 'replace 1..1:')}\n+three`)
    expect([alone.ok, session.asked.length]).toEqual([true, 1])
  })
})

describe('while a patch streams', () => {
  const policies = { plumbline: plumblineEditPolicy, magi: magiEditPolicy, atomic: atomicEditPolicy }

  row(
    'EDIT-59',
    ANCHORED,
    'what is known is drawn, unresolved blocks are left out and refused in the end',
    async (toolset) => {
      await here.bench.write({ 'a.ts': 'f(() => {\n  x\n})\n' })
      const { edit, session, tag } = await openAnchored(here, toolset, 'a.ts')
      const ops = `replace 2..2:\n+  y\n${spell(toolset, 'delete block 3')}\ninsert tail:\n+z`
      const patch = `[a.ts#${tag}]\n${spell(toolset, ops)}`
      const known = { store: here.engines.snapshots.of(session.id), find: (name: string) => here.at(name) }
      const drawn = (text: string) => streamingPreview(text, policies[toolset], known)[0]?.change?.after
      expect(drawn(patch.slice(0, patch.indexOf('  y')))).toBe('f(() => {\n\n})\n')
      expect(drawn(patch)).toBe('f(() => {\n  y\n})\nz\n')
      expect((await edit(ops)).text).toContain('could not resolve a syntactic block beginning on line 3')
      expect(await here.text('a.ts')).toBe('f(() => {\n  x\n})\n')
    },
  )
})
