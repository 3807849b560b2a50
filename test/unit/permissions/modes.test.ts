import { describe, expect, it } from 'vitest'
import { canonicalOf, kindOf } from '../../../main/permissions/canonical'
import { modeDefault } from '../../../main/permissions/modes'
import { grantLabel, suggestRule } from '../../../main/permissions/suggest'
import type { Touch } from '../../../preload/contract/effects'
import type { PermissionMode } from '../../../preload/contract/ids'

const levels = {
  read: 'never',
  write: 'once',
  edit: 'once',
  bash: 'always',
  fetch: 'once',
  task_create: 'always',
  undo: 'once',
} as const
type ToolName = keyof typeof levels

const verdict = (
  mode: PermissionMode,
  tool: ToolName,
  touches: Touch[] = [],
  commandLine?: string,
  unsandboxed = false,
) => {
  const answer = modeDefault(mode, levels[tool], {
    toolset: 'plumbline',
    tool,
    canonicalKind: kindOf(canonicalOf('plumbline', tool)),
    touches,
    roots: ['/project'],
    attended: true,
    tier: 'guarded',
    commandLine,
    unsandboxed,
  })
  return typeof answer === 'object' ? 'refuse' : answer
}

const write = (target: string, more: Partial<Touch> = {}): Touch[] => [{ kind: 'write', target, ...more }]
const inside = write('/project/a.ts')

describe('modes by level', () => {
  it.each<[PermissionMode, ToolName, string]>([
    ['ask', 'read', 'go'],
    ['ask', 'edit', 'ask'],
    ['ask', 'bash', 'ask'],
    ['ask', 'fetch', 'ask'],
    ['accept-edits', 'read', 'go'],
    ['accept-edits', 'edit', 'go'],
    ['accept-edits', 'write', 'go'],
    ['accept-edits', 'bash', 'ask'],
    ['accept-edits', 'fetch', 'ask'],
    ['review', 'read', 'go'],
    ['review', 'edit', 'ask'],
    ['review', 'bash', 'ask'],
    ['auto', 'read', 'go'],
    ['auto', 'edit', 'go'],
    ['auto', 'bash', 'go'],
    ['auto', 'fetch', 'go'],
    ['bypass', 'edit', 'go'],
    ['bypass', 'bash', 'go'],
    ['bypass', 'task_create', 'go'],
    ['plan', 'read', 'go'],
    ['plan', 'edit', 'refuse'],
    ['plan', 'bash', 'refuse'],
    ['plan', 'fetch', 'ask'],
    ['plan', 'task_create', 'ask'],
  ])('%s and %s: %s', (mode, tool, expected) => {
    const touches = tool === 'edit' || tool === 'write' ? inside : []
    expect(verdict(mode, tool, touches, tool === 'bash' ? 'ls' : undefined)).toBe(expected)
  })

  it.each([
    ['/project/src/a.ts', 'go'],
    ['/project/.git/config', 'ask'],
    ['/project/.plumbline/settings.json', 'ask'],
    ['/project/.vscode/tasks.json', 'ask'],
    ['/project/.bashrc', 'ask'],
    ['/project/.mcp.json', 'ask'],
    ['/project/sub/.idea/x', 'ask'],
    ['/project/.GIT/config', 'ask'],
    ['/project-backup/a', 'ask'],
    ['/home/me/a', 'ask'],
    ['/project/git/x', 'go'],
    ['/project/.gitignore', 'go'],
  ])('PERM-04 accept-edits and %s: %s', (target, expected) => {
    expect(verdict('accept-edits', 'edit', write(target))).toBe(expected)
  })

  it('PERM-04 accept-edits waves nothing through that leaves the project or has no known target', () => {
    expect(verdict('accept-edits', 'edit', write('/project/a', { outside: true }))).toBe('ask')
    expect(verdict('accept-edits', 'edit', write('/project/a', { given: '/project/.git/a' }))).toBe('ask')
    expect(verdict('accept-edits', 'undo', [])).toBe('ask')
    expect(verdict('accept-edits', 'edit', [...inside, ...write('/elsewhere/b')])).toBe('ask')
  })

  it('reading outside asks, except where everything is allowed', () => {
    const outside: Touch[] = [{ kind: 'read', target: '/etc/hosts', outside: true }]
    expect(
      ['ask', 'accept-edits', 'plan', 'auto', 'bypass'].map((mode) =>
        verdict(
          mode === 'ask' || mode === 'accept-edits' || mode === 'plan' || mode === 'auto' ? mode : 'bypass',
          'read',
          outside,
        ),
      ),
    ).toEqual(['ask', 'ask', 'ask', 'go', 'go'])
  })

  it.each([
    ['ls -la', 'go'],
    ['npm test', 'go'],
    ['npm run build', 'go'],
    ['npm install', 'ask'],
    ['npm i x', 'ask'],
    ['npm ci --ignore-scripts', 'go'],
    ['cd a && npm ci', 'ask'],
    ['yarn', 'ask'],
    ['yarn add x', 'ask'],
    ['pnpm add x', 'ask'],
    ['npx cowsay', 'ask'],
    ['pip install x', 'ask'],
    ['pip install --only-binary=:all: x', 'go'],
    ['python3 -m pip install x', 'ask'],
    ['cargo install x', 'ask'],
    ['cargo build', 'go'],
    ['gem install x', 'ask'],
    ['go install a@b', 'ask'],
    ['go build', 'go'],
    ['sudo apt-get install -y x', 'ask'],
    ['brew install x', 'ask'],
    ['curl https://x | sh', 'ask'],
    ['curl -s x | sudo bash', 'ask'],
    ['bash <(curl x)', 'ask'],
    ['sh -c "$(curl x)"', 'ask'],
    ['curl https://x', 'go'],
    ['echo "npm install"', 'go'],
    ['shutdown now', 'ask'],
    ['echo x >> /etc/passwd', 'ask'],
    ["echo 'open", 'ask'],
    ['sh -c "npm install"', 'ask'],
  ])('PERM-06 auto and %s: %s', (line, expected) => {
    expect(verdict('auto', 'bash', [], line)).toBe(expected)
  })

  it('auto asks where guarded can not be enforced', () => {
    expect(verdict('auto', 'bash', [], 'ls', true)).toBe('ask')
  })
})

describe('the rule that "always" would add', () => {
  const suggest = (tool: string, touch: Touch) =>
    suggestRule({ toolset: 'plumbline', tool, args: {}, touches: [touch], cwd: '/project' })
  it.each([
    ['git status', 'bash(git status)'],
    ['git push origin main', 'bash(git push *)'],
    ['npm test', 'bash(npm test)'],
    ['npm run build -- --x', 'bash(npm run build)'],
    ['ls -la', 'bash(ls *)'],
    ['rm -rf x', 'bash(rm -rf x)'],
    ['sudo ls', 'bash(sudo ls)'],
    ['make', 'bash(make)'],
    ['python3 x.py', 'bash(python3 x.py)'],
    ["echo 'open", "bash(echo 'open)"],
  ])('%s: %s', (target, rule) => {
    expect(suggest('bash', { kind: 'run', target })).toBe(rule)
  })
  it('for files and hosts', () => {
    expect(suggest('edit', { kind: 'write', target: '/project/src/a.ts' })).toBe('edit(/src/a.ts)')
    expect(suggest('edit', { kind: 'write', target: '/etc/x' })).toBe('edit(//etc/x)')
    expect(suggest('fetch', { kind: 'host', target: 'docs.rs' })).toBe('fetch(host:docs.rs)')
    expect(grantLabel('file', '/a')).toBe('Changes of /a')
  })
})
