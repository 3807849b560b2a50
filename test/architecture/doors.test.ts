import { describe, expect, it } from 'vitest'
import { contract } from '../../preload/contract'
import { sourceFiles, withoutComments } from './source-files'

const files = sourceFiles(['main', 'preload', 'renderer'], /\.tsx?$/).map(({ name, text }) => ({
  name,
  code: withoutComments(text),
}))
const filesWith = (pattern: RegExp) => files.filter(({ code }) => pattern.test(code)).map(({ name }) => name)

describe('there is one door', () => {
  it('to ipcMain', () => {
    expect(filesWith(/\bipcMain\b/)).toEqual(['main/ipc/handle.ts'])
  })

  it('to ipcRenderer and the context bridge', () => {
    expect(filesWith(/\b(ipcRenderer|contextBridge)\b/)).toEqual(['preload/index.ts'])
  })

  it('to the exposed object', () => {
    expect(filesWith(/\bwindow\s*(\.|\[['"`])plumbline\b/)).toEqual(['renderer/bridge/index.ts'])
    expect(filesWith(/globalThis\s*(\.|\[['"`])plumbline\b/)).toEqual([])
  })

  it('to the credentials, none of which leads back into the window', () => {
    expect(
      filesWith(/\bimport\b.*['"]keytar['"]|\(['"]keytar['"]\)/).every((name) => name.startsWith('main/credentials/')),
    ).toBe(true)
  })
})

describe('the preload', () => {
  const preload = files.find(({ name }) => name === 'preload/index.ts')?.code ?? ''

  it('exposes one global', () => {
    expect(preload.match(/exposeInMainWorld\(/g)).toHaveLength(1)
    expect(preload).toContain("exposeInMainWorld('plumbline'")
  })

  it('gives the page no way to name a channel', () => {
    // Every channel that is used comes from the contract's names, by way of these two.
    const used = [...preload.matchAll(/ipcRenderer\.\w+\(\s*([\w.]+)/g)].map(([, channel]) => channel)
    expect(used.length).toBeGreaterThan(4)
    expect(new Set(used)).toEqual(
      new Set(['channel', 'channels.item', 'channels.ack', 'channels.ended', 'channels.open', 'channels.cancel']),
    )
    expect(preload.match(/const channels? = (\w+)/g)?.sort()).toEqual([
      'const channel = channelName',
      'const channels = streamChannels',
    ])
  })

  it('hands no Electron object and no event to the page', () => {
    expect(preload).not.toMatch(/listener\([^)]*event/)
    expect(preload.match(/getPathForFile/g)).toHaveLength(1)
  })
})

describe('types of other folders', () => {
  it('are imported by statements, which the layer test can see, and not by import calls', () => {
    expect(filesWith(/\bimport\((['"])[^'"]+\1\)\.(?!then\b)/)).toEqual([])
  })
})

/** What the window can ask for. A new member is added here by hand, so that nobody widens the bridge in passing. */
const members = {
  app: 'info machine commands getLayout setLayout getDraft setDraft openExternal revealPath windowControl copyText reportFailure',
  project: 'pick open openDropped recent startDemo trust',
  session:
    'list summaries create updates page prompt removeQueued stop answer setModel setMode setToolset rename setArchived blobText blobBytes sandbox',
  changes: 'list diff pending mark acceptRest reject putBack save comments comment removeComment undo redo',
  provider: 'list discover saveKey removeKey test getDefault setDefault',
  terminal: 'create list output write resize close',
  settings: 'get update changes',
  permissions: 'list remove',
}

describe('the bridge', () => {
  it('has exactly these members', () => {
    const actual = Object.values(contract).map(({ name, calls }) => [name, Object.keys(calls).join(' ')])
    expect(Object.fromEntries(actual)).toEqual(members)
  })
})
