import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEEPING, row } from '../support/contract-row'
import { makeEditBench } from '../support/edit-bench'

let here: Awaited<ReturnType<typeof makeEditBench>>

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

const LONG = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "m1",
   "metadata": {},
   "source": ["# T\\n", "text"]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "c1",
   "metadata": { "weight": 1.0, "big": 12345678901234567890 },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": ["42\\n"]
    }
   ],
   "source": [
    "print(42)"
   ]
  }
 ],
 "x_team": {"k": 1},
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}`
const PROGRAM = 'def f():\n    return 1\n\nprint(f())'

describe('notebook_edit', () => {
  row('EDIT-74', KEEPING, 'S14 only the cell changes, byte for byte', async (toolset) => {
    const source = `"source": [
    "def f():\\n",
    "    return 1\\n",
    "\\n",
    "print(f())"
   ]`
    for (const [mark, ending, end] of [
      ['', '\n', '\n'],
      ['\uFEFF', '\r\n', ''],
    ] as const) {
      const shape = (text: string) => mark + (text + end).replaceAll('\n', ending)
      await here.bench.write({ 'a.ipynb': shape(LONG) })
      const session = here.open[toolset]()
      const answer = await session.call('notebook_edit', {
        notebook_path: here.at('a.ipynb'),
        cell_id: 'c1',
        new_source: PROGRAM,
      })
      expect(answer.text).toBe(`Edited cell c1 in ${here.at('a.ipynb')}`)
      expect(await here.text('a.ipynb')).toBe(shape(LONG.replace('"source": [\n    "print(42)"\n   ]', source)))
    }
  })

  row(
    'EDIT-74',
    KEEPING,
    'S14 new cells stand where they were asked for, with ids where the format has them',
    async (toolset) => {
      await here.bench.write({
        'a.ipynb': `${LONG}\n`,
        'old.ipynb': LONG.replace('"nbformat_minor": 5', '"nbformat_minor": 4'),
      })
      const session = here.open[toolset]()
      const insert = (name: string, args: object) =>
        session.call('notebook_edit', { notebook_path: here.at(name), ...args })
      expect((await insert('a.ipynb', { new_source: 'end\n' })).text).toMatch(/^Inserted cell [0-9a-f]{8} in /)
      await insert('a.ipynb', { new_source: 'x = 1\ny', insert_after: 'm1', cell_type: 'markdown' })
      const text = await here.text('a.ipynb')
      const { cells } = JSON.parse(text)
      expect(cells.map((cell: { cell_type: string }) => cell.cell_type)).toEqual([
        'markdown',
        'markdown',
        'code',
        'code',
      ])
      expect([cells[1].source, cells[3].source]).toEqual([['x = 1\n', 'y'], ['end\n']])
      expect(new Set(cells.map((cell: { id: string }) => cell.id)).size).toBe(4)
      expect(text).toContain('  },\n  {\n   "cell_type": "markdown",\n   "id": "')
      expect(text).toContain('"weight": 1.0, "big": 12345678901234567890')
      expect(text.endsWith('\n "nbformat_minor": 5\n}\n')).toBe(true)
      expect((await insert('old.ipynb', { new_source: 'z', insert_after: 'm1' })).text).toContain(
        'Inserted cell cell:1 in',
      )
      expect(JSON.parse(await here.text('old.ipynb')).cells[1]).toEqual({
        cell_type: 'code',
        execution_count: null,
        metadata: {},
        outputs: [],
        source: ['z'],
      })
    },
  )

  row('EDIT-74', KEEPING, 'short files stay on their line, types change, cells go by number', async (toolset) => {
    const short =
      '{"cells":[{"cell_type":"code","metadata":{},"execution_count":1,"outputs":[],"source":"1+1"}],"nbformat":4,"nbformat_minor":2}'
    await here.bench.write({ 'a.ipynb': short, 'empty.ipynb': '{"cells": [], "nbformat": 4, "nbformat_minor": 2}' })
    const session = here.open[toolset]()
    const call = (name: string, args: object) =>
      session.call('notebook_edit', { notebook_path: here.at(name), ...args })
    await call('a.ipynb', { new_source: '2\n3', cell_id: 'cell:0' })
    expect(await here.text('a.ipynb')).toBe(short.replace('"1+1"', '"2\\n3"'))
    await call('a.ipynb', { new_source: '# t', cell_id: 'cell:0', cell_type: 'markdown' })
    expect(await here.text('a.ipynb')).toBe(
      '{"cells":[{"cell_type":"markdown","metadata":{},"source":["# t"]}],"nbformat":4,"nbformat_minor":2}',
    )
    await call('a.ipynb', { new_source: 'n', insert_after: 'cell:0', cell_type: 'markdown' })
    expect(JSON.parse(await here.text('a.ipynb')).cells[1]).toEqual({
      cell_type: 'markdown',
      metadata: {},
      source: ['n'],
    })
    expect((await here.text('a.ipynb')).includes('\n')).toBe(false)
    await call('empty.ipynb', { new_source: 'n', cell_type: 'markdown' })
    expect(await here.text('empty.ipynb')).toBe(
      '{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["n"]}], "nbformat": 4, "nbformat_minor": 2}',
    )
  })

  row('EDIT-74', KEEPING, 'what can not be done changes nothing', async (toolset) => {
    await here.bench.write({ 'a.ipynb': LONG, 'b.ipynb': '{"cells": [', 'c.ipynb': '[]' })
    const session = here.open[toolset]()
    const call = (name: string, args: object) =>
      session.call('notebook_edit', { notebook_path: here.at(name), new_source: 'x', ...args })
    expect((await call('a.ipynb', { cell_id: 'zz' })).text).toBe(
      'a.ipynb has no cell "zz". Nothing was written. Its cells: m1, c1.',
    )
    expect((await call('a.ipynb', { insert_after: 'zz' })).error?.code).toBe('not_found')
    expect((await call('a.ipynb', { cell_id: 'c1', new_source: 'print(42)' })).error?.code).toBe('no_change')
    expect((await call('b.ipynb', {})).text).toBe(
      'b.ipynb is not a notebook: it is not a JSON object. Nothing was written.',
    )
    expect((await call('c.ipynb', {})).error?.code).toBe('invalid_arguments')
    expect((await call('none.ipynb', {})).text).toBe('File not found: none.ipynb.')
    expect(await here.text('a.ipynb')).toBe(LONG)
    expect((await readdir(here.bench.project)).sort()).toEqual(['a.ipynb', 'b.ipynb', 'c.ipynb'])
  })

  it('EDIT-75 plumbline: undo takes notebook edits back; in o4 it does not', async () => {
    for (const toolset of KEEPING) {
      await here.bench.write({ 'a.ipynb': LONG })
      const session = here.open[toolset]()
      await session.call('notebook_edit', { notebook_path: here.at('a.ipynb'), cell_id: 'c1', new_source: 'x' })
      expect((await session.call('undo', {})).ok).toBe(toolset === 'plumbline')
      expect((await here.text('a.ipynb')) === LONG).toBe(toolset === 'plumbline')
    }
  })
})
