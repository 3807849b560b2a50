import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DesktopState } from '../../../main/app/desktop-state'
import { replaceFile } from '../../../main/app/replace-file'

let home: string

beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'plumbline-state-')))
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

const load = () => DesktopState.load(home, replaceFile)

describe('DesktopState', () => {
  it('brings back what was set', async () => {
    const state = load()
    state.bounds = { x: 5, y: 6, width: 1000, height: 700, maximized: true }
    state.layout = { ...state.layout, sessionsWidth: 300, theme: 'dark' }
    state.setDraft('new', 'unsent')
    state.add('/a')
    state.add(home)
    state.add('/a')
    await state.flush()
    const again = load()
    expect(again.bounds).toEqual({ x: 5, y: 6, width: 1000, height: 700, maximized: true })
    expect(again.layout).toMatchObject({ sessionsWidth: 300, theme: 'dark' })
    expect(again.draft('new')).toBe('unsent')
    expect(await again.list()).toMatchObject([
      { path: '/a', exists: false },
      { path: home, name: path.basename(home), exists: true },
    ])
    expect(readdirSync(home)).toEqual(['desktop.json'])
    expect(statSync(path.join(home, 'desktop.json')).mode & 0o777).toBe(0o600)
  })

  it('writes by itself soon after a change', async () => {
    load().setDraft('new', 'typed')
    await expect.poll(() => load().draft('new')).toBe('typed')
  })

  it('keeps the parts that fit when others do not', () => {
    const stored = {
      bounds: { width: 'wide' },
      layout: { theme: 'dark', extra: 1 },
      drafts: { new: 'kept' },
      recent: 7,
    }
    writeFileSync(path.join(home, 'desktop.json'), JSON.stringify(stored))
    const state = load()
    expect(state.bounds).toMatchObject({ width: 1440, height: 900 })
    expect(state.layout.theme).toBe('dark')
    expect(state.draft('new')).toBe('kept')
  })

  it('starts afresh from a file that is no JSON', () => {
    writeFileSync(path.join(home, 'desktop.json'), '{ torn')
    expect(load().draft('new')).toBe('')
  })

  it('removes a draft that was emptied', async () => {
    const state = load()
    state.setDraft('s_00000001', 'text')
    state.setDraft('s_00000001', '')
    await state.flush()
    expect(readFileSync(path.join(home, 'desktop.json'), 'utf8')).not.toContain('s_00000001')
  })

  it('drops the oldest drafts, by number and by size', () => {
    const state = load()
    for (let index = 0; index < 250; index += 1) state.setDraft(`s_${index}`, 'x')
    expect([state.draft('s_49'), state.draft('s_50'), state.draft('s_249')]).toEqual(['', 'x', 'x'])
    state.setDraft('s_big', 'x'.repeat(4 * 1024 * 1024 - 1))
    expect([state.draft('s_248'), state.draft('s_249')]).toEqual(['', 'x'])
  })

  it('lets a folder named at the start be opened without putting it in the list', async () => {
    const state = load()
    state.allow('/named')
    expect(state.has('/named')).toBe(true)
    expect(state.has('/other')).toBe(false)
    expect(await state.list()).toEqual([])
  })

  it('tries again when a write failed', async () => {
    let failures = 1
    const state = DesktopState.load(home, async (file, text) => {
      if (failures-- > 0) throw new Error('disk full')
      await replaceFile(file, text)
    })
    state.setDraft('new', 'kept')
    await state.flush()
    await state.flush()
    expect(load().draft('new')).toBe('kept')
  })
})
