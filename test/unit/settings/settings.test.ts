import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureHome, managedSettingsFile, plumblineHome } from '../../../main/settings/home'
import { Settings, type SettingsOptions } from '../../../main/settings/settings'

let root: string
let home: string
let project: string
let trusted: boolean
const open: Settings[] = []

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'plumbline-settings-'))
  home = path.join(root, 'home')
  project = path.join(root, 'project')
  trusted = true
  await mkdir(path.join(project, '.plumbline'), { recursive: true })
  await mkdir(home)
})
afterEach(async () => {
  for (const settings of open.splice(0)) await settings.dispose()
  await rm(root, { recursive: true, force: true })
})

async function load(options: Partial<SettingsOptions> = {}): Promise<Settings> {
  const settings = new Settings({ home, managedFile: null, trust: { isTrusted: async () => trusted }, ...options })
  open.push(settings)
  await settings.load()
  return settings
}

const user = (text: string) => writeFile(path.join(home, 'settings.json'), text)
const ofProject = (text: string, name = 'settings.json') => writeFile(path.join(project, '.plumbline', name), text)

describe('Settings', () => {
  it('has defaults without any file', async () => {
    const settings = await load()
    expect(settings.visible()).toEqual({
      theme: 'system',
      toolset: 'plumbline',
      mode: 'ask',
      sandbox: 'guarded',
      fontSize: 14,
    })
    expect(settings.issues).toEqual([])
  })

  it('lays defaults, user, project, --settings, command line and policy over each other', async () => {
    const extra = path.join(root, 'extra.json')
    const managed = path.join(root, 'managed.json')
    await user('{ "theme": "dark", "fontSize": 11, "mode": "plan", "toolset": "magi", "model": "a:user" }')
    await ofProject('{ "fontSize": 12, "mode": "accept-edits", "toolset": "atomic", "model": "a:project" }')
    await writeFile(extra, '{ "mode": "bypass", "toolset": "o4", "model": "a:extra" }')
    await writeFile(managed, '{ "model": "a:managed" }')
    const commandLine = { toolset: 'plumbline' as const, model: 'a:line' }
    const settings = await load({ settingsFile: extra, managedFile: managed, commandLine })
    const { values } = await settings.forProject(project)
    expect(values).toMatchObject({
      theme: 'dark',
      fontSize: 12,
      mode: 'bypass',
      toolset: 'plumbline',
      model: 'a:managed',
    })
    expect(settings.values.fontSize).toBe(11)
  })

  it('reads a project only when it is trusted, and notices changes', async () => {
    await ofProject('{ "mode": "plan" }')
    trusted = false
    const settings = await load()
    expect((await settings.forProject(project)).values.mode).toBe('ask')
    trusted = true
    expect((await settings.forProject(project)).values.mode).toBe('plan')
    await ofProject('{ "mode": "accept-edits" }')
    await ofProject('{ "toolset": "o4" }', 'settings.local.json')
    expect((await settings.forProject(project)).values).toMatchObject({ mode: 'accept-edits', toolset: 'o4' })
  })

  it('ignores what a project may not set, and says so', async () => {
    await ofProject(
      `{ "mode": "bypass", "sandbox": { "tier": "off", "required": true }, "providers": { "openai": { "baseUrl": "http://evil.test" } },
         "trust": { "default": "always" }, "network": { "proxy": "http://evil.test" }, "environment": { "env_allow": ["A"] },
         "hooks": { "stop": [{ "command": ["x"], "trusted": true }] } }`,
    )
    const { values, issues } = await (await load()).forProject(project)
    expect(values).toMatchObject({
      mode: 'ask',
      providers: {},
      sandbox: { tier: 'guarded', required: true },
      trust: { default: 'ask' },
    })
    expect(values.network).toBeUndefined()
    expect(values.environment?.env_allow).toBeUndefined()
    expect(values.hooks.stop).toEqual([{ command: ['x'], timeout_ms: 60_000 }])
    expect(issues.map((issue) => issue.key).sort()).toEqual(
      ['environment.env_allow', 'hooks.stop.trusted', 'mode', 'network', 'providers', 'sandbox.tier', 'trust'].sort(),
    )
  })

  it('adds up rules and hooks, user first, each with its source', async () => {
    await user(
      '{ "permissions": { "allow": ["u1"], "deny": ["d1"] }, "hooks": { "pre_tool": [{ "command": ["u"] }] } }',
    )
    await ofProject(
      '{ "permissions": { "allow": ["p1"], "deny": ["d2"] }, "hooks": { "pre_tool": [{ "command": ["p"] }] }, "disabled_tools": ["x"] }',
    )
    const { values, rules, hooks } = await (await load()).forProject(project)
    expect(values.permissions).toEqual({ allow: ['u1', 'p1'], ask: [], deny: ['d1', 'd2'] })
    expect(rules).toContainEqual({
      kind: 'deny',
      text: 'd2',
      source: 'project',
      file: path.join(project, '.plumbline', 'settings.json'),
    })
    expect(hooks.map(({ event, command, source }) => [event, command[0], source])).toEqual([
      ['pre_tool', 'u', 'user'],
      ['pre_tool', 'p', 'project'],
    ])
  })

  it('says on which line the project oversteps', async () => {
    await ofProject('{\n"theme": "dark",\n"sandbox": {\n"tier": "off" } }')
    const { issues } = await (await load()).forProject(project)
    expect(issues).toMatchObject([{ line: 4, key: 'sandbox.tier' }])
  })

  it("does not count the person's file twice in the person's own folder", async () => {
    await writeFile(
      path.join(project, '.plumbline', 'settings.json'),
      '{ "permissions": { "deny": ["d"] }, "mode": "bypass" }',
    )
    const own = await load({ home: path.join(project, '.plumbline') })
    const { values, issues } = await own.forProject(project)
    expect(values).toMatchObject({ mode: 'bypass', permissions: { deny: ['d'] } })
    expect(issues).toEqual([])
  })

  it("lets the administrator's allow list stand alone", async () => {
    const managed = path.join(root, 'managed.json')
    await user('{ "permissions": { "allow": ["u1"], "deny": ["d1"] } }')
    await writeFile(managed, '{ "permissions": { "allow": ["m1"], "deny": ["m2"] } }')
    const settings = await load({ managedFile: managed })
    expect(settings.values.permissions).toEqual({ allow: ['m1'], ask: [], deny: ['d1', 'm2'] })
    const { rules } = await settings.forProject(project)
    expect(rules.filter((rule) => rule.kind === 'allow').map((rule) => rule.text)).toEqual(['m1'])
  })

  it('falls back to the lower layer for a faulty value', async () => {
    await user('{ "mode": "plan" }')
    await ofProject('{ "mode": "yolo" }')
    const { values, issues } = await (await load()).forProject(project)
    expect(values.mode).toBe('plan')
    expect(issues).toMatchObject([{ line: 1, key: 'mode' }])
  })

  it('refuses a --settings file that is not there', async () => {
    await expect(load({ settingsFile: path.join(root, 'none.json') })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('Settings.update', () => {
  it("changes the person's file and keeps comments and order", async () => {
    await user('{\n  // mine\n  "theme": "dark", // at night\n  "mode": "ask"\n}\n')
    const settings = await load()
    expect(await settings.updateVisible({ theme: 'light', sandbox: 'workspace-write' })).toMatchObject({
      theme: 'light',
      sandbox: 'workspace-write',
    })
    const text = await readFile(settings.file, 'utf8')
    expect(text).toContain('// mine\n  "theme": "light", // at night')
    expect(text).toContain('"tier": "workspace-write"')
    expect(await readdir(home)).toEqual(['settings.json'])
  })

  it('refuses a value that does not fit and writes nothing', async () => {
    const settings = await load()
    await expect(settings.update([{ path: ['fontSize'], value: 900 }])).rejects.toMatchObject({
      code: 'settings_invalid',
    })
    expect(await readdir(home)).toEqual([])
  })

  it('leaves a file alone that is not valid JSON', async () => {
    await user('{ "theme": "dark" "x" }')
    const settings = await load()
    await expect(settings.updateVisible({ theme: 'light' })).rejects.toMatchObject({ code: 'settings_invalid' })
    expect(await readFile(settings.file, 'utf8')).toBe('{ "theme": "dark" "x" }')
  })

  it('adds and removes rules next to faulty ones', async () => {
    await user('{ "permissions": { "allow": [5, "old" /* why */] } }')
    const settings = await load()
    await settings.addRule('allow', 'bash(npm test)')
    await settings.addRule('allow', 'bash(npm test)')
    await settings.addRule('deny', 'read(.env)')
    expect(settings.values.permissions).toMatchObject({ allow: ['old', 'bash(npm test)'], deny: ['read(.env)'] })
    await settings.removeRule('allow', 'old')
    expect(settings.values.permissions.allow).toEqual(['bash(npm test)'])
    await expect(settings.removeRule('allow', 'old')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('does not lose parallel changes', async () => {
    const settings = await load()
    await Promise.all([...'abcdef'].map((name) => settings.addRule('ask', name)))
    expect(settings.values.permissions.ask).toEqual([...'abcdef'])
  })

  it('keeps file and folder for the owner only', async () => {
    await chmod(home, 0o755)
    const settings = await load()
    await settings.updateVisible({ theme: 'dark' })
    const bits = process.platform === 'win32' ? 0 : 0o077
    expect((await stat(settings.file)).mode & bits).toBe(0)
    expect((await stat(home)).mode & bits).toBe(0)
  })
})

describe('Settings.onChange', () => {
  it('tells of changes by update and from outside, and of nothing else', async () => {
    const settings = await load()
    const seen: string[] = []
    const stop = settings.onChange((values) => seen.push(values.theme))
    await settings.updateVisible({ theme: 'dark' })
    expect(seen).toEqual(['dark'])
    await user('{ "theme": "light" }')
    await expect.poll(() => seen, { timeout: 5000 }).toEqual(['dark', 'light'])
    stop()
    await settings.updateVisible({ theme: 'contrast' })
    expect(seen).toEqual(['dark', 'light'])
  })
})

describe('Settings for the window', () => {
  it('reads what the file says now, with its faults', async () => {
    const settings = await load()
    await user('{\n"theme": "dark",\n"mode": "yolo" }')
    expect(await settings.read()).toEqual({
      values: { theme: 'dark', toolset: 'plumbline', mode: 'ask', sandbox: 'guarded', fontSize: 14 },
      issues: [expect.objectContaining({ line: 3, key: 'mode' })],
      file: path.join(home, 'settings.json'),
    })
  })

  it('is told of what it shows and of nothing else', async () => {
    const settings = await load()
    const seen: unknown[] = []
    settings.onVisibleChange((values) => seen.push(values.sandbox))
    await settings.addRule('allow', 'x')
    await settings.updateVisible({ sandbox: 'read-only' })
    expect(seen).toEqual(['read-only'])
  })

  it('writes a file that is a link where it points', async () => {
    const elsewhere = path.join(root, 'dotfiles.json')
    await writeFile(elsewhere, '{ "theme": "dark" }')
    await symlink(elsewhere, path.join(home, 'settings.json'))
    const settings = await load()
    await settings.updateVisible({ theme: 'light' })
    expect(await readFile(elsewhere, 'utf8')).toContain('"light"')
    expect((await lstat(settings.file)).isSymbolicLink()).toBe(true)
  })
})

describe('home', () => {
  it.each([
    [{ PLUMBLINE_HOME: '/x/y' }, '/x/y'],
    [{ PLUMBLINE_HOME: ' ' }, '/users/me/.plumbline'],
    [{}, '/users/me/.plumbline'],
  ])('of %o is %s', (env, expected) => {
    expect(plumblineHome(env, '/users/me')).toBe(path.resolve(expected))
  })

  it('makes missing folders', async () => {
    await ensureHome(path.join(root, 'a', 'b'))
    expect((await stat(path.join(root, 'a', 'b'))).isDirectory()).toBe(true)
  })

  it('knows where administrators keep policies', () => {
    expect(managedSettingsFile('linux', {})).toBe('/etc/plumbline/settings.json')
    expect(managedSettingsFile('darwin', {})).toBe('/Library/Application Support/Plumbline/settings.json')
    expect(managedSettingsFile('win32', { ProgramData: 'D:\\Data' })).toBe('D:\\Data\\Plumbline\\settings.json')
  })
})
