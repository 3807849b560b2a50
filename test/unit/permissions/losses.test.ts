import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseMounts, systemLossProbe } from '../../../main/permissions/loss-probe'
import { findLosses } from '../../../main/permissions/losses'

let base = ''
let project = ''
let home = ''
const probe = { ...systemLossProbe, mounts: async () => ['/', path.join(home, 'disk')] }

beforeAll(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'plumbline-loss-')))
  home = path.join(base, 'home')
  project = path.join(home, 'code', 'project')
  await mkdir(path.join(project, 'src', 'deep'), { recursive: true })
  await mkdir(path.join(project, 'build'))
  await mkdir(path.join(home, 'disk', 'inside'), { recursive: true })
  await mkdir(path.join(home, 'other'))
  for (const name of ['a.txt', 'b.txt', 'space d.txt', 'src/x.ts', 'src/deep/y.ts', 'build/out.js', '.hidden']) {
    await writeFile(path.join(project, name), 'content\n')
  }
  await writeFile(path.join(project, 'empty.txt'), '')
  await symlink(project, path.join(home, 'link'))
  await symlink(home, path.join(project, 'home-link'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project, stdio: 'pipe' })
  git('init', '-q')
  await writeFile(path.join(project, '.gitignore'), 'build\nhome-link\n')
  git('add', 'a.txt', 'src', '.gitignore')
  git('commit', '-qm', 'first')
  await writeFile(path.join(project, 'a.txt'), 'changed\n')
})
afterAll(() => rm(base, { recursive: true, force: true }))

const find = (line: string) =>
  findLosses(line, { cwd: project, roots: [project], home, temporaryFolder: path.join(base, 'tmp') }, probe)
const lost = async (line: string) =>
  (await find(line)).loses
    .map(({ target }) => (target.startsWith(`${project}/`) ? target.slice(project.length + 1) : target))
    .sort()

describe('what would be lost, resolved', () => {
  it.each([
    ['rm a.txt', ['a.txt']],
    ['rm -f a.txt b.txt', ['a.txt', 'b.txt']],
    ['rm *.txt', ['a.txt', 'b.txt', 'empty.txt', 'space d.txt']],
    ['rm "space d.txt"', ['space d.txt']],
    ['rm space\\ d.txt', ['space d.txt']],
    ['rm "*.txt"', []],
    ['rm missing', []],
    ['rm -rf src', ['src']],
    ['rm -rf ./src/', ['src']],
    ['rm -rf src/*', ['src/deep', 'src/x.ts']],
    ['cd src && rm -rf *', ['src/deep', 'src/x.ts']],
    ['cd src; cd deep; rm y.ts', ['src/deep/y.ts']],
    ['(cd src && rm x.ts)', ['x.ts in an unknown folder']],
    ['rm -- -f a.txt', ['a.txt']],
    ['cd missing; rm -rf *', ['*']],
    ['sudo rm -rf src', ['src']],
    ['sh -c "rm -rf src"', ['src']],
    ['bash -lc "cd src && rm x.ts"', ['src/x.ts']],
    ["sh -c 'for f in a b; do rm $f; done'", ['$f']],
    ['D=src; rm -rf $D', ['src']],
    ['D=src; rm -rf "$D"/deep', ['src/deep']],
    ['rm -rf $(cat list)', ['$(cat list)']],
    ['for f in *.txt; do rm "$f"; done', ['"$f"']],
    ['read D; rm -rf $D', ['$D']],
    ['ls | xargs rm', ['whatever the command is given at run time']],
    ['find . -name "*.ts" -delete', [`${'.'} (what find matches)`]],
    ['find src -delete', ['src']],
    ['find src -name x -exec rm {} ;', ['src (what find matches)', 'whatever the command is given at run time', '{}']],
    ['find . -name "*.ts"', []],
    ['echo x > a.txt', ['a.txt']],
    ['echo x >> a.txt', []],
    ['echo x > new.txt', []],
    ['echo x > empty.txt', []],
    ['echo x > /dev/null', []],
    ['cat b.txt > a.txt 2>&1', ['a.txt']],
    ['echo x &> a.txt', ['a.txt']],
    ['> a.txt', ['a.txt']],
    ['echo x | tee a.txt', ['a.txt']],
    ['echo x | tee -a a.txt', []],
    ['truncate -s 0 a.txt', ['a.txt']],
    ['mv b.txt a.txt', ['a.txt']],
    ['mv -n b.txt a.txt', []],
    ['mv b.txt c.txt', []],
    ['cp b.txt a.txt', ['a.txt']],
    ['cp src/x.ts src/deep', []],
    ['dd if=/dev/zero of=a.txt', ['a.txt']],
    ['dd if=a.txt of=/dev/null', []],
    ['mkfs.ext4 /dev/sdz9', ['/dev/sdz9']],
    ['wipefs -a /dev/sdz9', ['/dev/sdz9']],
    ['shred a.txt', ['a.txt']],
    ['git clean -fd', ['.hidden', 'b.txt', 'empty.txt', 'space d.txt']],
    ['git clean -qfd', ['.hidden', 'b.txt', 'empty.txt', 'space d.txt']],
    ['git clean -fd --quiet', ['.hidden', 'b.txt', 'empty.txt', 'space d.txt']],
    ['git clean -n --no-dry-run -fd', ['.hidden', 'b.txt', 'empty.txt', 'space d.txt']],
    ['git clean -fd -enode_modules', ['.hidden', 'b.txt', 'empty.txt', 'space d.txt']],
    ['git clean -fd -e -n', ['.hidden', 'b.txt', 'empty.txt', 'space d.txt']],
    ['git clean -fdeb.txt', ['.hidden', 'empty.txt', 'space d.txt']],
    ['git clean -f -- b.txt', ['b.txt']],
    ['git clean -nfd', []],
    ['git clean -fd --dry-run', []],
    ['git reset --hard', ['a.txt']],
    ['git reset --hard HEAD~1', ['a.txt']],
    ['git reset a.txt', []],
    ['git checkout -- a.txt', ['a.txt']],
    ['git checkout .', ['a.txt']],
    ['git checkout a.txt', ['a.txt']],
    ['git checkout -b topic', []],
    ['git -C src reset --hard', ['a.txt']],
    ['git restore a.txt', ['a.txt']],
    ['git restore --staged a.txt', []],
    ['git stash', []],
    ['git stash drop', ['stashed changes (git stash drop)']],
    ['git branch -D x', ['unmerged branches (git branch -D)']],
    ['git push', []],
    ['git push --force', ['commits on the remote (forced git push)']],
    ['git status && ls', []],
    ['echo "rm -rf src"', []],
    ['npm test', []],
  ])('%s', async (line, expected) => {
    const found = await lost(line)
    if (line.startsWith('(cd')) expect(found).toEqual(['x.ts'])
    else if (line.startsWith('find . ')) expect(found).toEqual(expected.map((each) => each.replace(/^\./, project)))
    else expect(found).toEqual(expected)
  })

  it('lists at most 200 and counts all', async () => {
    const many = path.join(project, 'many')
    await mkdir(many)
    await Promise.all(Array.from({ length: 230 }, (_each, index) => writeFile(path.join(many, `f${index}`), 'x')))
    const found = await find('rm many/*')
    expect([found.loses.length, found.total]).toEqual([200, 230])
    await rm(many, { recursive: true })
  })
})

it('a line too large to look into asks for what it may delete', async () => {
  expect(await lost(`${'echo a; '.repeat(4_000)}rm a.txt`)).toContain('whatever this very long command deletes')
})

describe('what is never deleted, in no mode', () => {
  it.each([
    'rm -rf /',
    'rm -rf /*',
    'rm -fr //',
    'rm -r --no-preserve-root /',
    'sudo rm -rf /',
    'rm -rf "$UNSET"/*',
    'rm -rf $UNSET/',
    'cd / && rm -rf *',
    'cd /; rm -rf .',
    'rm -rf ~',
    'rm -rf ~/',
    'rm -rf ~/*',
    'rm -rf $HOME',
    'rm -rf "$HOME/"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own syntax
    'rm -rf "${HOME}"',
    'D=~; rm -rf $HOME/.',
    'rm -rf .',
    'rm -rf ./',
    'rm -rf ../project',
    'rm -rf ..',
    'rm -rf ../..',
    'rm -rf src/..',
    'rm -rf "$PWD"',
    'cd .. && rm -rf project',
    'cd && rm -rf code',
    'rm -rf ~/link/',
    'rm -rf home-link/*',
    'rm -rf ~/disk',
    'rm -rf /home/somebody',
    'find / -delete',
    'find . -delete',
    'sh -c "rm -rf /"',
    "sh -c 'cd / && rm -rf *'",
    'env A=1 rm -rf /',
    'echo ok; rm -rf / || true',
    'if true; then rm -rf /; fi',
    'echo $(rm -rf /)',
    'rm -rf / &',
    'rm -rf src /',
    "eval 'rm -rf /'",
    'rimraf /',
    'sh -c "D=/; rm -rf \\$D"',
  ])('%s', async (line) => {
    expect((await find(line)).refuse).toMatch(/never done, in no mode/)
  })

  it.each([
    'rm -rf src',
    'rm -rf ./build',
    'rm -rf ~/other',
    'rm -rf ~/disk/inside',
    'rm a.txt',
    'rm -rf *',
    'rm home-link',
    'rm -rf home-link',
    'echo rm -rf /',
    'ls /',
    'rm -rf /tmp/x-y-z',
    'find . -name "*.tmp" -delete',
    'rm -rf $(pwd)',
    'rmdir src',
  ])('but not %s', async (line) => {
    expect((await find(line)).refuse).toBeUndefined()
  })
})

it('mounts are read with their escapes', () => {
  expect(parseMounts('36 35 98:0 / /mnt/a\\040b rw - ext4 /dev/x rw\n')).toEqual(['/mnt/a b'])
})
