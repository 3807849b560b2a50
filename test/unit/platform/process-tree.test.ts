import { describe, expect, it } from 'vitest'
import { findShell, personShell, shellArguments } from '../../../main/execution/shells'
import { type ProcessRow, parsePs, parseStat } from '../../../main/platform/process-table'
import { type ProcessSystem, signalTree, treeMembers } from '../../../main/platform/process-tree'

const row = (pid: number, parent: number, group = pid, session = group): ProcessRow => ({
  pid,
  parent,
  group,
  session,
  name: `p${pid}`,
})

function system(platform: NodeJS.Platform, rows: readonly ProcessRow[], marked: readonly number[] = []) {
  const sent: string[] = []
  const fake: ProcessSystem = {
    platform,
    list: async () => rows,
    marked: async () => marked,
    kill: (pid, signal) => {
      sent.push(`${signal} ${pid}`)
      return true
    },
    killWindowsTree: async (pid) => void sent.push(`taskkill ${pid}`),
  }
  return { fake, sent }
}

// 100 leads; 101 is its child in its group; 102 made a session of its own; 103 was left by a double fork; 104 is a stranger.
const tree = [
  row(1, 0),
  row(100, 50),
  row(101, 100, 100),
  row(102, 101, 102),
  row(103, 1, 103),
  row(104, 1),
  row(105, 103),
]

describe('a tree of processes', () => {
  it('is found by parents, group, session and marker', async () => {
    const { fake } = system('linux', tree, [103])
    const members = await treeMembers({ pid: 100, marker: 'M=1' }, fake)
    expect(members.map(({ pid }) => pid)).toEqual([100, 101, 102, 103, 105])
    expect((await treeMembers({ pid: 100 }, fake)).map(({ pid }) => pid)).toEqual([100, 101, 102])
  })

  it('is signalled as a group and one by one', async () => {
    const { fake, sent } = system('darwin', tree)
    expect(await signalTree({ pid: 100 }, 'SIGTERM', fake)).toBe(3)
    expect(sent).toEqual(['SIGTERM -100', 'SIGTERM 100', 'SIGTERM 101', 'SIGTERM 102'])
  })

  it('in a namespace the two that hold it are spared politeness, and killed with all the rest', async () => {
    const rows = [row(100, 50), row(101, 100, 100), row(102, 101), row(103, 102, 102)]
    const polite = system('linux', rows)
    await signalTree({ pid: 100, namespaced: true }, 'SIGTERM', polite.fake)
    expect(polite.sent).toEqual(['SIGTERM 102', 'SIGTERM 103'])
    const early = system('linux', rows.slice(0, 2))
    await signalTree({ pid: 100, namespaced: true }, 'SIGTERM', early.fake)
    expect(early.sent).toContain('SIGKILL 100')
    const hard = system('linux', rows)
    await signalTree({ pid: 100, namespaced: true }, 'SIGKILL', hard.fake)
    expect(hard.sent).toEqual(['SIGKILL -100', 'SIGKILL 100', 'SIGKILL 101', 'SIGKILL 102', 'SIGKILL 103'])
  })

  it('on Windows is ended by its own means', async () => {
    const { fake, sent } = system('win32', [])
    await signalTree({ pid: 100 }, 'SIGTERM', fake)
    expect(sent).toEqual(['taskkill 100'])
  })
})

describe('lists of processes', () => {
  it('of Linux, whatever stands in a name; the dead are left out', () => {
    expect(parseStat('42 (a b) (c)) S 7 42 41 0 -1')).toEqual({
      pid: 42,
      parent: 7,
      group: 42,
      session: 41,
      name: 'a b) (c)',
    })
    expect(parseStat('42 (x) Z 7 42 41 0')).toBeUndefined()
    expect(parseStat('nonsense')).toBeUndefined()
  })
  it('of ps', () => {
    expect(parsePs('  10   1  10 0 /bin/a b\n 11 10 10 0 c\nnoise\n')).toEqual([
      { pid: 10, parent: 1, group: 10, session: 0, name: '/bin/a b' },
      { pid: 11, parent: 10, group: 10, session: 0, name: 'c' },
    ])
  })
})

describe('shells', () => {
  it('are found by platform', async () => {
    const only = (file: string) => ({ exists: async (candidate: string) => candidate === file })
    expect(await findShell({ platform: 'linux', ...only('/usr/bin/bash') })).toEqual({
      file: '/usr/bin/bash',
      name: 'bash',
    })
    expect(await findShell({ platform: 'linux', exists: async () => false })).toEqual({ file: '/bin/sh', name: 'sh' })
    const git = 'C:\\Program Files\\Git\\bin\\bash.exe'
    expect(await findShell({ platform: 'win32', env: { PROGRAMFILES: 'C:\\Program Files' }, ...only(git) })).toEqual({
      file: git,
      name: 'bash',
    })
    expect(await findShell({ platform: 'win32', env: {}, exists: async () => false })).toBeUndefined()
    expect([
      personShell('win32', { COMSPEC: 'C:\\cmd.exe' }),
      personShell('linux', { SHELL: '/bin/zsh' }),
      personShell('linux', { SHELL: 'zsh' }),
    ]).toEqual(['C:\\cmd.exe', '/bin/zsh', '/bin/sh'])
    expect(shellArguments({ file: '/bin/sh', name: 'sh' }, 'x', true)).toEqual(['-c', 'x'])
  })
})
