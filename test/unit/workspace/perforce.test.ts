import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { perforceSettings, registryValue } from '../../../main/workspace/perforce'
import { Walker } from '../../../main/workspace/walker'

let folder = ''
let root = ''
let home = ''
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'perforce-')))
  root = path.join(folder, 'client/project')
  home = path.join(folder, 'home')
  await mkdir(root, { recursive: true })
  await mkdir(home)
})
afterEach(() => rm(folder, { recursive: true }))

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

const settings = (environment: NodeJS.ProcessEnv, more: object = {}) =>
  perforceSettings(root, { environment, home, platform: 'linux', ...more })

function walk(environment: NodeJS.ProcessEnv = {}): string[] {
  const walker = new Walker({
    root,
    hidden: true,
    ignoreFiles: true,
    outsideGit: true,
    prune: [],
    maxEntries: 1000,
    deadlineAt: Date.now() + 10_000,
    excluded: [],
    environment: { HOME: home, ...environment },
  })
  return [...walker.walk()].filter((entry) => entry.kind === 'file').map((entry) => entry.relative)
}

describe('perforceSettings', () => {
  it('FIND-13 asks the configuration file, the environment file, the environment, the registry, in this order', async () => {
    const registry = (name: string) => (name === 'P4IGNORE' ? 'from-registry' : undefined)
    expect(settings({}, { registry }).relative).toEqual(['from-registry'])
    expect(settings({ P4IGNORE: 'from-environment' }, { registry }).relative).toEqual(['from-environment'])
    await write({ 'home/.p4enviro': '# settings\nP4IGNORE=from-enviro\nP4CONFIG=.p4cfg\n' })
    expect(settings({ P4IGNORE: 'from-environment' }).relative).toEqual(['from-enviro'])
    await write({ 'client/.p4cfg': 'P4CLIENT=me\nP4IGNORE=from-config\n' })
    expect(settings({ P4IGNORE: 'from-environment' })).toMatchObject({
      relative: ['from-config'],
      top: path.join(folder, 'client'),
    })
  })

  it('FIND-14 takes a list in order, relative and absolute, and has two defaults', () => {
    expect(settings({}).relative).toEqual(['.p4ignore', 'p4ignore.txt'])
    expect(settings({ P4IGNORE: ' ; ' }).relative).toEqual(['.p4ignore', 'p4ignore.txt'])
    expect(settings({ P4IGNORE: 'a.txt; /etc/p4rules ;b.txt' })).toMatchObject({
      relative: ['a.txt', 'b.txt'],
      absolute: ['/etc/p4rules'],
    })
  })

  it('FIND-14 never shows .p4root, and configuration files only where they are looked for', () => {
    expect([...settings({}).neverShown]).toEqual(['.p4root'])
    expect([...settings({ P4CONFIG: 'p4.ini' }).neverShown]).toEqual(['.p4root', '.p4config', 'p4.ini'])
  })

  it('FIND-15 has a default environment file on Linux alone', async () => {
    await write({ 'home/.p4enviro': 'P4IGNORE=mine\n', 'other.txt': 'P4IGNORE=other\n' })
    expect(settings({}).relative).toEqual(['mine'])
    const none = { registry: () => undefined }
    expect(settings({}, { platform: 'darwin', ...none }).relative).toEqual(['.p4ignore', 'p4ignore.txt'])
    const given = { P4ENVIRO: path.join(folder, 'other.txt') }
    expect(settings(given, { platform: 'darwin' }).relative).toEqual(['other'])
    expect(settings(given).relative).toEqual(['other'])
  })

  it('FIND-14 reads little: a settings file that is too large says nothing', async () => {
    await write({ 'home/.p4enviro': `P4IGNORE=mine\n#${'x'.repeat(64 * 1024)}` })
    expect(settings({}).relative).toEqual(['.p4ignore', 'p4ignore.txt'])
  })

  it('FIND-13 understands what the registry program prints', () => {
    const output =
      '\r\nHKEY_CURRENT_USER\\Software\\Perforce\\environment\r\n    P4CONFIG    REG_SZ    p4 config.txt\r\n\r\n'
    expect(registryValue(output, 'P4CONFIG')).toBe('p4 config.txt')
    expect(registryValue(output, 'P4IGNORE')).toBeUndefined()
  })
})

describe('walking with Perforce rules', () => {
  it('FIND-12 FIND-14 leaves out what the defaults say, nested, later files first', async () => {
    await write({
      'client/project/.p4ignore': '*.obj\n/out\nlogs/\n',
      'client/project/p4ignore.txt': '!keep.obj\n',
      'client/project/a.obj': '',
      'client/project/keep.obj': '',
      'client/project/out/x': '',
      'client/project/sub/out/y': '',
      'client/project/sub/logs/z': '',
      'client/project/sub/.p4ignore': '!b.obj\n',
      'client/project/sub/b.obj': '',
      'client/project/.p4root': '',
    })
    expect(walk()).toEqual(['.p4ignore', 'keep.obj', 'p4ignore.txt', 'sub/.p4ignore', 'sub/b.obj', 'sub/out/y'])
  })

  it('FIND-14 takes rules of the folders up to the configuration, and absolute files', async () => {
    await write({
      'client/.p4cfg': '',
      'client/rules': 'project/secret.txt\n*.tmp\n',
      rules: '*.never\n',
      everywhere: 'deep/.../z.bin\n',
      'client/project/secret.txt': '',
      'client/project/a.tmp': '',
      'client/project/a.never': '',
      'client/project/deep/er/z.bin': '',
      'client/project/ok.txt': '',
    })
    const environment = { P4CONFIG: '.p4cfg', P4IGNORE: `rules;${path.join(folder, 'everywhere')}` }
    expect(walk(environment)).toEqual(['a.never', 'ok.txt', 'deep/er/z.bin'])
    await write({ everywhere: 'client/project/deep/.../z.bin\n' })
    expect(walk(environment)).toEqual(['a.never', 'ok.txt'])
  })
})
