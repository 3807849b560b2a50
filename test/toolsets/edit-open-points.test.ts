import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { ANCHORED, row } from '../support/contract-row'
import { makeEditBench, tagIn, untagged } from '../support/edit-bench'
import { openAnchored, spell } from '../support/edit-dialect'

let here: Awaited<ReturnType<typeof makeEditBench>>

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

async function reopen(options: Parameters<typeof makeEditBench>[0]): Promise<void> {
  await here.bench.dispose()
  here = await makeEditBench(options)
}

const SOURCE = 'function a() {\n  one()\n}\n'

describe('settings and other programs', () => {
  row('EDIT-57', ANCHORED, 'repairs can be refused or switched off', async (toolset) => {
    await reopen({ repairs: 'refuse' })
    await here.bench.write({ 'a.ts': SOURCE })
    const ops = 'replace 2..3:\n+  uno()'
    const refused = await (await openAnchored(here, toolset, 'a.ts')).edit(ops)
    expect([refused.error?.code, refused.text.split('. ').slice(0, 2)]).toEqual([
      'edit_rejected',
      [
        'Nothing was written',
        'Repairs are turned off here, and the patch would need one: a delimiter-balance mismatch in the replacement at line 2: kept 1 structural closing line(s) the range deleted without restating',
      ],
    ])
    expect(await here.text('a.ts')).toBe(SOURCE)
    await reopen({ repairs: 'off' })
    await here.bench.write({ 'a.ts': SOURCE })
    const literal = await (await openAnchored(here, toolset, 'a.ts')).edit(ops)
    expect([literal.ok, literal.text.includes('Auto-repaired')]).toEqual([true, false])
    expect(await here.text('a.ts')).toBe('function a() {\n  uno()\n')
  })

  row('EDIT-70', ANCHORED, 'a file that a formatter changed at once is answered as it is on disk', async (toolset) => {
    const { rename } = await import('node:fs/promises')
    await reopen({
      files: {
        rename: async (from, to) => {
          await rename(from, to)
          if (String(to).endsWith('a.txt')) await writeFile(to, 'head\na\nB;\nc\n')
        },
      },
    })
    await here.bench.write({ 'a.txt': 'a\nb\nc\n' })
    const { edit, tagOf } = await openAnchored(here, toolset, 'a.txt')
    const answer = await edit('replace 2..2:\n+B')
    const deltas = toolset === 'plumbline' ? '\nlines 1: +1; lines ≥3: +1' : ''
    expect(untagged(answer.text)).toBe(
      `[a.txt#TAG]\nThe file was changed again right after it was written, as a formatter does on saving. Tag and rows are those of what is on disk now.${deltas}\n+1:head\n 2:a\n+3:B;\n 4:c`,
    )
    expect(await tagOf('a.txt')).toBe(tagIn(answer))
  })

  row('EDIT-06', ANCHORED, 'texts of one file that share four digits have longer tags', async (toolset) => {
    await reopen({ tagOf: () => 'AAAA' })
    await here.bench.write({ 'a.txt': 'a\nb\n' })
    const { edit, read, raw, tag } = await openAnchored(here, toolset, 'a.txt')
    expect(tag).toBe('AAAA')
    await writeFile(here.at('a.txt'), 'zero\na\nb\n')
    const shown = /#(AAAA[0-9A-F])\]/.exec((await read('a.txt')).text)?.[1] ?? ''
    expect(shown).toHaveLength(5)
    const old = await edit('replace 2..2:\n+B')
    expect([old.ok, await here.text('a.txt')]).toEqual([true, 'zero\nB\nb\n'])
    const next = /#(AAAA[0-9A-F]{1,2})\]/.exec(old.text)?.[1] ?? ''
    expect((await raw(`[a.txt#${next}]\n${spell(toolset, 'delete 1')}`)).ok).toBe(true)
    expect(await here.text('a.txt')).toBe('B\nb\n')
  })

  row('EDIT-43', ANCHORED, 'a tag whose text had to go is not called invented', async (toolset) => {
    await reopen({ limits: { versions: 2 } })
    await here.bench.write({ 'a.txt': '0\n' })
    const { edit, tag, tagOf } = await openAnchored(here, toolset, 'a.txt')
    for (const text of ['1\n', '2\n', '3\n']) {
      await writeFile(here.at('a.txt'), text)
      await tagOf('a.txt')
    }
    const answer = await edit('delete 1')
    expect([answer.error?.code, answer.text]).toEqual([
      'stale_tag',
      `Edit rejected for a.txt: hash #${tag} is from this session, but its text is no longer kept.\nThe current file hashes to #${await tagOf('a.txt')}. Re-read the file with \`read\` to copy a current [path#tag] header before retrying.\n\n*1:3`,
    ])
  })
})
