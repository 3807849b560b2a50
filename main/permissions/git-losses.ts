import path from 'node:path'
import type { Doomed, LossProbe } from './loss-probe'
import { withoutGitOptions } from './match-command'

/**
 * What a Git command would throw away: untracked files by `clean`, changes by `reset --hard`, `checkout --` and
 * `restore`, stashes, unmerged branches, other people's commits by a forced push.
 */
export async function gitLosses(
  words: readonly string[],
  cwd: string | undefined,
  probe: LossProbe,
): Promise<Doomed[]> {
  const folder = folderOf(words, cwd)
  const [command, ...args] = withoutGitOptions(words)
  const has = (expression: RegExp) => args.some((word) => expression.test(word))
  switch (command) {
    case 'clean':
      return isDryRun(args) ? [] : cleaned(args, folder, probe)
    case 'reset':
      return has(/^--(hard|merge|keep)$/) ? changed([], folder, probe, 'uncommitted changes (git reset)') : []
    case 'checkout':
      if (has(/^-[a-zA-Z]*[bB]|^--orphan$/)) return []
      if (has(/^(--force|-[a-zA-Z]*f[a-zA-Z]*)$/))
        return changed([], folder, probe, 'uncommitted changes (git checkout -f)')
      return has(/^--$|^\.$|^:\//) || (await namesFile(args, folder, probe))
        ? changed(pathsAfterDashes(args), folder, probe, 'uncommitted changes (git checkout)')
        : []
    case 'switch':
      return has(/^(--discard-changes|--force|-f)$/)
        ? changed([], folder, probe, 'uncommitted changes (git switch)')
        : []
    case 'restore':
      return has(/^(--staged|-S)$/) && !has(/^(--worktree|-W)$/)
        ? []
        : changed(pathsAfterDashes(args), folder, probe, 'uncommitted changes (git restore)')
    case 'stash':
      return /^(drop|clear)$/.test(args[0] ?? '') ? [text(`stashed changes (git stash ${args[0] ?? ''})`)] : []
    case 'branch':
      return has(/^(-D|--delete)$/) && (has(/^-D$/) || has(/^(-f|--force)$/))
        ? [text('unmerged branches (git branch -D)')]
        : []
    case 'push':
      return has(/^(-f|--force|--force-with-lease.*|--mirror|--delete|-d|\+.+|:.+)$/)
        ? [text('commits on the remote (forced git push)')]
        : []
    case 'rm':
      return has(/^--cached$/)
        ? []
        : args.filter((word) => !word.startsWith('-')).map((word) => resolved(word, folder, has(/^-[a-z]*r/)))
    case 'worktree':
      return args[0] === 'remove' && has(/^(-f|--force)$/)
        ? [text('changes in a worktree (git worktree remove --force)')]
        : []
    case 'filter-branch':
    case 'filter-repo':
      return [text(`history (git ${command})`)]
    case 'update-ref':
      return has(/^-d$/) ? [text('a reference (git update-ref -d)')] : []
    case 'reflog':
      return /^(expire|delete)$/.test(args[0] ?? '') ? [text('recoverable commits (git reflog)')] : []
    default:
      return []
  }
}

/** Whether `git clean` only says what it would do. What follows `e` in a cluster of letters is a pattern, no option. */
function isDryRun(args: readonly string[]): boolean {
  let dry = false
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? ''
    if (word === '--') return dry
    if (word === '--dry-run') dry = true
    if (word === '--no-dry-run') dry = false
    const letters = /^-(?!-)([^e]*)(e?)(.*)$/s.exec(word)
    if (letters?.[1]?.includes('n')) dry = true
    if (word === '--exclude' || (letters?.[2] === 'e' && letters[3] === '')) index += 1
  }
  return dry
}

async function cleaned(args: readonly string[], folder: string | undefined, probe: LossProbe): Promise<Doomed[]> {
  if (folder === undefined) return [text('untracked files (git clean)')]
  // The last word counts: whatever the command says of these, the look is a dry run that names what it would remove.
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  const look = [...options, '--dry-run', '--no-quiet', '--no-interactive', ...args.slice(options.length)]
  const answer = await probe.git(['clean', ...look], folder)
  if (answer === undefined) return [text('untracked files (git clean)')]
  return answer.split('\n').flatMap((line) => {
    const name = /^Would remove (.+)$/.exec(line)?.[1]
    return name === undefined ? [] : [{ target: path.resolve(folder, name), recursive: false }]
  })
}

/** Tracked files with changes that are not committed, limited to the paths. */
async function changed(
  paths: readonly string[],
  folder: string | undefined,
  probe: LossProbe,
  otherwise: string,
): Promise<Doomed[]> {
  if (folder === undefined) return [text(otherwise)]
  const top = (await probe.git(['rev-parse', '--show-toplevel'], folder))?.trimEnd()
  const answer = await probe.git(['status', '--porcelain', '-z', '--untracked-files=no', '--', ...paths], folder)
  if (top === undefined || answer === undefined) return [text(otherwise)]
  return answer.split('\0').flatMap((entry) => {
    const name = /^[ MADRCUT?!]{2} (.+)$/s.exec(entry)?.[1]
    return name === undefined ? [] : [{ target: path.resolve(top, name), recursive: false }]
  })
}

async function namesFile(args: readonly string[], folder: string | undefined, probe: LossProbe): Promise<boolean> {
  if (folder === undefined) return false
  for (const word of args) {
    if (!word.startsWith('-') && (await probe.entry(path.resolve(folder, word))) !== undefined) return true
  }
  return false
}

function pathsAfterDashes(args: readonly string[]): string[] {
  const dashes = args.indexOf('--')
  if (dashes >= 0) return args.slice(dashes + 1)
  // Without dashes a word may be a branch or a path; all changes are the safe answer.
  return []
}

function folderOf(words: readonly string[], cwd: string | undefined): string | undefined {
  const at = words.indexOf('-C')
  const given = at >= 0 ? words[at + 1] : undefined
  if (given === undefined) return cwd
  return path.isAbsolute(given) ? given : cwd === undefined ? undefined : path.resolve(cwd, given)
}

function resolved(word: string, folder: string | undefined, recursive: boolean): Doomed {
  return folder === undefined
    ? { target: word, recursive, unresolved: true }
    : { target: path.resolve(folder, word), recursive }
}

function text(target: string): Doomed {
  return { target, recursive: false, unresolved: true }
}
