import { describe, expect, it } from 'vitest'
import { canonicalOf } from '../../../main/permissions/canonical'
import { buildRules, judgeRules } from '../../../main/permissions/rules'
import type { RuleCall, RuleSource } from '../../../main/permissions/types'
import type { Touch } from '../../../preload/contract/effects'

const sources = (texts: readonly string[]): RuleSource[] =>
  texts.map((line) => {
    const [kind = '', ...rest] = line.split(' ')
    if (kind !== 'allow' && kind !== 'ask' && kind !== 'deny') throw new Error(line)
    return { kind, text: rest.join(' '), source: 'user' }
  })

const call = (tool: string, more: Partial<RuleCall>): RuleCall => ({
  toolset: 'plumbline',
  tool,
  canonical: canonicalOf('plumbline', tool),
  args: {},
  touches: [],
  roots: ['/project'],
  home: '/home/me',
  ...more,
})

/** The decision as the pipeline orders it: deny, ask, allow, else the mode ("ask" here too, told apart by "mode"). */
const decide = (rules: readonly string[], about: RuleCall): string => {
  const { deny, ask, allow } = judgeRules(buildRules(sources(rules)), about)
  return deny ? 'deny' : ask ? 'ask' : allow ? 'allow' : 'mode'
}

const run = (rules: readonly string[], commandLine: string, tool = 'bash') =>
  decide(rules, call(tool, { commandLine, touches: [{ kind: 'run', target: commandLine }] }))

describe('S33 rules about command lines', () => {
  const rules = ['allow Bash(git add:*)', 'allow Bash(cd:*)', 'deny Bash(npm publish:*)']
  it.each([
    ['git add a.txt', 'allow'],
    ['git add', 'allow'],
    ['git add a && git commit -m x', 'mode'],
    ['git add a; git push', 'mode'],
    ['git add a | sh', 'mode'],
    ['git add a & sh', 'mode'],
    ['git add a\nsh x', 'mode'],
    ['git add $(curl x)', 'mode'],
    ['git add `curl x`', 'mode'],
    ['git add <(curl x)', 'mode'],
    ['git add "$(curl x)"', 'mode'],
    ['git add "a;b"', 'allow'],
    ["git add 'a && b'", 'allow'],
    ['git add a\\;b', 'allow'],
    ['git   add    a', 'allow'],
    ['git "add" a', 'allow'],
    ["'git' add a", 'allow'],
    ['git addendum', 'mode'],
    ['cd sub && git add a', 'allow'],
    ['cd sub && npm publish', 'deny'],
    ['echo ok || npm publish', 'deny'],
    ['(npm publish)', 'deny'],
    ['{ npm publish; }', 'deny'],
    ['if true; then npm publish; fi', 'deny'],
    ['for i in a b; do npm publish; done', 'deny'],
    ['f() { npm publish; }; f', 'deny'],
    ['echo $(npm publish)', 'deny'],
    ['echo "x $(npm publish --tag a)"', 'deny'],
    ['echo "a && npm publish"', 'mode'],
    ["echo 'npm publish'", 'mode'],
    ['npm publisher', 'mode'],
    ['git add a > out.txt', 'mode'],
    ['git add a >> out.txt', 'mode'],
    ['git add a > /dev/null 2>&1', 'allow'],
    ['git add a 2>/dev/null', 'allow'],
    ['A=1 git add a', 'mode'],
    ['PATH=/evil; git add a', 'mode'],
    ['$GIT add a', 'mode'],
    ['git add $FILES', 'allow'],
    ['git add *.ts', 'allow'],
    ["git add 'open", 'mode'],
    ['git add a <<EOF\n$(curl x)\nEOF', 'mode'],
    ["git add a <<'EOF'\ntext\nEOF", 'allow'],
    ['', 'mode'],
    ['# only a remark', 'mode'],
    ['git add a # remark', 'allow'],
    ['> file', 'mode'],
  ])('%j is %s', (line, decision) => {
    expect(run(rules, line)).toBe(decision)
  })
})

describe('wrappers are seen through to forbid, never to allow', () => {
  it.each([
    'sudo npm publish',
    'sudo -u me npm publish',
    'sudo -E npm publish --tag x',
    'env A=1 npm publish',
    'env -i npm publish',
    'env -u HOME A=1 npm publish',
    'nohup npm publish',
    'time npm publish',
    'timeout 5 npm publish',
    'timeout -k 5 10 npm publish',
    'xargs npm publish',
    'echo a | xargs -n 1 npm publish',
    'exec npm publish',
    'exec -a x npm publish',
    'command npm publish',
    'builtin npm publish',
    'nice -n 5 npm publish',
    'stdbuf -o L npm publish',
    'setsid npm publish',
    'sh -c "npm publish"',
    "bash -lc 'cd a && npm publish'",
    "bash -o pipefail -c 'npm publish'",
    "sudo sh -c 'npm publish'",
    "eval 'npm publish'",
    'eval npm publish',
    'sh -c "sh -c \'npm publish\'"',
    'find . -exec npm publish ;',
    "find . -name a -exec npm publish {} '+'",
    '/usr/bin/npm publish',
    'A=1 npm publish',
    'npm publish > /dev/null',
    'watch npm publish',
    '! npm publish',
    'npm publish | tee log',
    'env -S "npm publish"',
    'sudo env A=1 nohup timeout 5 npm publish',
  ])('%s is denied', (line) => {
    expect(run(['deny bash(npm publish *)'], line)).toBe('deny')
    expect(run(['ask bash(npm publish *)'], line)).toBe('ask')
  })

  it.each([
    'sudo npm test',
    'env A=1 npm test',
    'nohup npm test',
    'timeout 5 npm test',
    'xargs npm test',
    'exec npm test',
    'sh -c "npm test"',
    'eval "npm test"',
    '/tmp/evil/npm test',
    './npm test',
    'find . -exec npm test ;',
  ])('%s is not allowed by a rule for npm test', (line) => {
    expect(run(['allow bash(npm test)', 'allow bash(npm test *)'], line)).toBe('mode')
  })

  it.each([
    ['git -C x push', 'deny'],
    ['git -c a=b push origin', 'deny'],
    ['git --git-dir .git push', 'deny'],
    ['git --no-pager push', 'deny'],
    ['git pull', 'mode'],
    ['git log --grep push', 'mode'],
    ['npx git push', 'mode'],
  ])("Git's own options hide nothing: %s is %s", (line, decision) => {
    expect(run(['deny bash(git push *)'], line)).toBe(decision)
  })
})

describe('patterns of commands', () => {
  it.each([
    ['npm test', 'npm test', 'allow'],
    ['npm test', 'npm test --watch', 'mode'],
    ['npm test *', 'npm test', 'allow'],
    ['npm test *', 'npm test --watch', 'allow'],
    ['npm test*', 'npm tests', 'allow'],
    ['npm test:*', 'npm test a', 'allow'],
    ['npm run *:ci', 'npm run test:ci', 'allow'],
    ['npm run *:ci', 'npm run test', 'mode'],
    ['git * --dry-run', 'git push --dry-run', 'allow'],
    ['*', 'anything at all', 'allow'],
    ['*', 'a && b', 'allow'],
    ['*', "echo 'unclosed", 'mode'],
    ['make a.b', 'make aXb', 'mode'],
    ['echo (x)', 'echo "(x)"', 'allow'],
    ['ls', 'ls', 'allow'],
    ['ls', 'lsof', 'mode'],
    ['ls *', 'lsof', 'mode'],
  ])('a rule for %j and the line %j: %s', (pattern, line, decision) => {
    expect(run([`allow bash(${pattern})`], line)).toBe(decision)
  })

  it('a line too large or too deep to look into is never allowed', () => {
    const lines = [
      `echo ${'abc '.repeat(15_000)}`,
      `${'echo a && '.repeat(5_000)}x`,
      `${'('.repeat(3_000)}x${')'.repeat(3_000)}`,
      'x'.repeat(70_000),
    ]
    for (const line of lines) expect(run(['allow bash(*)'], line)).toBe('mode')
  })

  it('several rules cover a line together', () => {
    expect(run(['allow bash(npm test)', 'allow bash(npm run lint)'], 'npm test && npm run lint')).toBe('allow')
    expect(run(['allow bash(npm test)'], 'npm test && npm run lint')).toBe('mode')
  })

  it('deny goes before ask before allow, in any order of the list', () => {
    const all = ['allow bash(git *)', 'ask bash(git push *)', 'deny bash(git push --force *)']
    for (const rules of [all, [...all].reverse()]) {
      expect(run(rules, 'git push --force origin')).toBe('deny')
      expect(run(rules, 'git push origin')).toBe('ask')
      expect(run(rules, 'git status')).toBe('allow')
    }
  })
})

describe('PERM-34 names of tools', () => {
  it.each([
    ['allow bash', 'bash', 'allow'],
    ['allow BASH', 'bash', 'allow'],
    ['allow bash', 'shell', 'allow'],
    ['allow shell.run', 'bash', 'allow'],
    ['allow shell.*', 'bash', 'allow'],
    ['allow *', 'bash', 'allow'],
    ['deny b*', 'bash', 'deny'],
    ['allow bas', 'bash', 'mode'],
    ['allow edit', 'bash', 'mode'],
    ['deny powershell', 'bash', 'mode'],
    ['deny powershell(*)', 'powershell', 'deny'],
  ])('%s for %s: %s', (rule, tool, decision) => {
    expect(run([rule], 'ls', tool)).toBe(decision)
  })
})

describe('S34 rules about paths', () => {
  const read = (...paths: readonly string[]): Touch[] => paths.map((target) => ({ kind: 'read', target }))
  const rules = ['deny Read(.env)', 'deny Read(**/.env.*)']
  it.each([
    ['read', '/project/.env', 'deny'],
    ['grep', '/project/.env', 'deny'],
    ['view_image', '/project/.env', 'deny'],
    ['read', '/project/sub/.env', 'deny'],
    ['read', '/project/cfg/.env.local', 'deny'],
    ['read', '/project/.env.example', 'deny'],
    ['read', '/project/.envrc', 'mode'],
    ['read', '/project/env', 'mode'],
    ['read', '/elsewhere/.env', 'mode'],
    ['read', '/project-backup/.env', 'mode'],
  ])('%s of %s: %s', (tool, target, decision) => {
    expect(decide(rules, call(tool, { touches: read(target) }))).toBe(decision)
  })

  it('both the given and the real path count', () => {
    const link: Touch = { kind: 'read', target: '/project/.env', given: '/project/notes' }
    expect(decide(rules, call('read', { touches: [link] }))).toBe('deny')
    expect(decide(['deny read(notes)'], call('read', { touches: [link] }))).toBe('deny')
    expect(decide(['allow read(notes)'], call('read', { touches: [link] }))).toBe('mode')
  })

  it('a rule about reading says nothing about writing', () => {
    expect(decide(rules, call('edit', { touches: [{ kind: 'write', target: '/project/.env' }] }))).toBe('mode')
  })

  it.each([
    ['deny edit(secret/**)', 'edit', '/project/secret/x', 'deny'],
    ['deny Edit(secret/**)', 'write', '/project/secret/x', 'deny'],
    ['deny edit(secret)', 'edit', '/project/secret/deep/x', 'deny'],
    ['deny edit(secret/**)', 'edit', '/project/other/x', 'mode'],
    ['deny edit(/a.txt)', 'edit', '/project/a.txt', 'deny'],
    ['deny edit(/a.txt)', 'edit', '/project/sub/a.txt', 'mode'],
    ['deny edit(./a.txt)', 'edit', '/project/a.txt', 'deny'],
    ['deny edit(~/.config/**)', 'edit', '/home/me/.config/x', 'deny'],
    ['deny edit(~/.config/**)', 'edit', '/project/.config/x', 'mode'],
    ['deny edit(//etc/**)', 'edit', '/etc/hosts', 'deny'],
    ['deny edit(//etc/**)', 'edit', '/project/etc/hosts', 'mode'],
    ['deny edit(*.pem)', 'edit', '/project/a/b.pem', 'deny'],
    ['deny file.edit(*.pem)', 'edit', '/project/a/b.pem', 'deny'],
    ['deny file.edit(*.pem)', 'write', '/project/a/b.pem', 'mode'],
    ['deny file.*(*.pem)', 'write', '/project/a/b.pem', 'deny'],
    ['allow edit(src/**)', 'edit', '/project/src/a.ts', 'allow'],
    ['allow edit(src/**)', 'edit', '/project/src', 'mode'],
    ['allow edit(src/**)', 'write', '/project/src/a.ts', 'mode'],
    ['allow edit(src/**)', 'edit', '/elsewhere/src/a.ts', 'mode'],
    ['allow edit(src/**)', 'edit', '/project/src/../a.ts', 'mode'],
    ['allow edit', 'edit', '/elsewhere/a.ts', 'allow'],
    ['ask edit(*.lock)', 'edit', '/project/a.lock', 'ask'],
  ])('%s with %s of %s: %s', (rule, tool, target, decision) => {
    expect(decide([rule], call(tool, { touches: [{ kind: 'write', target }] }))).toBe(decision)
  })

  it('allow needs every path, deny any', () => {
    const both: Touch[] = [
      { kind: 'write', target: '/project/src/a.ts' },
      { kind: 'write', target: '/project/b.ts' },
    ]
    expect(decide(['allow edit(src/**)'], call('edit', { touches: both }))).toBe('mode')
    expect(decide(['deny edit(src/**)'], call('edit', { touches: both }))).toBe('deny')
    expect(decide(['allow edit(src/**)'], call('edit', { touches: [] }))).toBe('mode')
  })
})

describe('rules about hosts', () => {
  it.each([
    ['allow fetch(host:docs.rs)', 'docs.rs', 'allow'],
    ['allow fetch(host:docs.rs)', 'DOCS.RS:443', 'allow'],
    ['allow fetch(host:docs.rs)', 'a.docs.rs', 'mode'],
    ['allow fetch(host:*.docs.rs)', 'a.docs.rs', 'allow'],
    ['allow fetch(host:*.docs.rs)', 'docs.rs', 'mode'],
    ['allow fetch(host:*.docs.rs)', 'evildocs.rs', 'mode'],
    ['allow fetch(domain:docs.rs)', 'docs.rs', 'allow'],
    ['deny web.*(host:*)', 'x.y', 'deny'],
  ])('%s and %s: %s', (rule, target, decision) => {
    expect(decide([rule], call('fetch', { touches: [{ kind: 'host', target }] }))).toBe(decision)
  })
})

describe('rules that can not be read', () => {
  it.each(['', '(x)', 'bash(', 'bash(x', 'bash()', 'bash x', 'edit(!a)', 'edit(#a)', `bash(${'x'.repeat(5000)})`])(
    '%j is reported and counts for nothing',
    (text) => {
      const set = buildRules([
        { kind: 'allow', text, source: 'user' },
        { kind: 'deny', text: 'bash(ok)', source: 'user' },
      ])
      expect(set.problems).toHaveLength(1)
      expect([set.allow.length, set.deny.length]).toEqual([0, 1])
    },
  )
})
