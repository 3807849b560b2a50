import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TrustStore } from '../../../main/settings/trust-store'
import { WindowStore } from '../../../main/settings/window-store'

let home: string
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'plumbline-stores-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('TrustStore', () => {
  it('answers with the nearest decision, across runs', async () => {
    const outer = path.join(home, 'outer')
    const inner = path.join(outer, 'inner')
    await mkdir(inner, { recursive: true })
    const store = new TrustStore({ home })
    expect(await store.decision(inner)).toBe('undecided')
    await store.setTrusted(outer, true)
    expect(await store.isTrusted(inner)).toBe(true)
    await store.setTrusted(inner, false)
    const later = new TrustStore({ home })
    expect(await later.isTrusted(inner)).toBe(false)
    expect(await later.isTrusted(outer)).toBe(true)
    expect(await later.isTrusted(home)).toBe(false)
  })

  it('goes by the real folder', async () => {
    const real = path.join(home, 'real')
    await mkdir(real)
    await symlink(real, path.join(home, 'link'), 'junction')
    const store = new TrustStore({ home })
    await store.setTrusted(path.join(home, 'link'), true)
    expect(await store.isTrusted(real)).toBe(true)
  })

  it('does not take a folder with a longer name for one inside', async () => {
    await mkdir(path.join(home, 'a'))
    await mkdir(path.join(home, 'ab'))
    const store = new TrustStore({ home })
    await store.setTrusted(path.join(home, 'a'), true)
    expect(await store.isTrusted(path.join(home, 'ab'))).toBe(false)
  })

  it('forgets a decision for this run only', async () => {
    const store = new TrustStore({ home })
    await store.setTrusted(home, true, 'session')
    expect(await store.isTrusted(home)).toBe(true)
    expect(await new TrustStore({ home }).isTrusted(home)).toBe(false)
  })

  it('records the folder above', async () => {
    const inner = path.join(home, 'x', 'y')
    await mkdir(inner, { recursive: true })
    const store = new TrustStore({ home })
    await store.setTrusted(inner, true, 'parent')
    expect(await store.isTrusted(path.join(home, 'x'))).toBe(true)
  })

  it.each([
    ['ask', 'undecided'],
    ['always', 'trusted'],
    ['never', 'untrusted'],
  ] as const)('with the default %s answers %s', async (fallback, decision) => {
    expect(await new TrustStore({ home, fallback: () => fallback }).decision(home)).toBe(decision)
  })

  it('trusts nothing because of a broken file, and keeps it', async () => {
    await writeFile(path.join(home, 'trust.json'), '{ "version": 1, "records": [')
    expect(await new TrustStore({ home }).isTrusted(home)).toBe(false)
    expect(await readdir(home)).toEqual(['trust.json.broken'])
  })

  it('keeps parallel decisions', async () => {
    const store = new TrustStore({ home })
    const folders = ['a', 'b', 'c', 'd'].map((name) => path.join(home, name))
    await Promise.all(folders.map((folder) => store.setTrusted(folder, true)))
    const later = new TrustStore({ home })
    expect(await Promise.all(folders.map((folder) => later.isTrusted(folder)))).toEqual([true, true, true, true])
  })
})

describe('WindowStore', () => {
  async function open(): Promise<WindowStore> {
    const store = new WindowStore({ home, now: () => 7 })
    await store.load()
    return store
  }

  it('keeps layout, bounds, drafts and recent folders', async () => {
    const store = await open()
    const layout = { ...store.getLayout(), theme: 'dark' as const, dockOpen: false }
    store.setLayout(layout)
    store.setBounds({ width: 900, height: 700, maximized: true })
    store.setDraft('new', 'half a tho')
    store.setDraft('s_00000001', 'x')
    store.setDraft('s_00000001', '')
    store.addRecent('/p/one')
    store.addRecent('/p/two')
    store.addRecent('/p/one')
    await store.dispose()
    const later = await open()
    expect(later.getLayout()).toEqual(layout)
    expect(later.getBounds()).toEqual({ width: 900, height: 700, maximized: true })
    expect(later.getDraft('new')).toBe('half a tho')
    expect(later.getDraft('s_00000001')).toBe('')
    expect(later.recent()).toEqual([
      { path: '/p/one', name: 'one', openedAt: 7 },
      { path: '/p/two', name: 'two', openedAt: 7 },
    ])
  })

  it('writes on its own soon after a change', async () => {
    const store = await open()
    store.setDraft('new', 'saved')
    await expect.poll(() => readFile(path.join(home, 'window.json'), 'utf8').catch(() => '')).toContain('saved')
    await store.dispose()
  })

  it('lets the drafts go that were not touched for longest', async () => {
    const store = await open()
    for (let number = 0; number < 70; number += 1) store.setDraft(`s_${number}`, 'text')
    expect(store.getDraft('s_0')).toBe('')
    expect(store.getDraft('s_69')).toBe('text')
    for (let number = 0; number < 6; number += 1) store.setDraft(`big_${number}`, 'x'.repeat(1024 * 1024))
    expect(store.getDraft('big_1')).toBe('')
    expect(store.getDraft('big_5').length).toBe(1024 * 1024)
    await store.dispose()
  })

  it('starts afresh beside a broken file', async () => {
    await writeFile(path.join(home, 'window.json'), 'nonsense')
    const store = await open()
    expect(store.getLayout().theme).toBe('system')
    expect(await readdir(home)).toEqual(['window.json.broken'])
  })
})
