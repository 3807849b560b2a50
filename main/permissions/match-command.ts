import { parseShellLine, type Redirect, type SimpleCommand } from './shell-line'
import { wordPattern } from './shell-word'
import { commandName, innerCommands } from './unwrap'

/** Writing there loses and reveals nothing. */
const HARMLESS_TARGETS = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/

/** Options of Git that stand before its command and take a value. */
const GIT_VALUE_OPTIONS = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
  '--super-prefix',
])

/**
 * Whether every part of the line is covered by at least one pattern (for allow). What can't be parsed, sets variables,
 * writes by redirection or hides behind a wrapper is covered by nothing but a pattern that names all of it.
 */
export function everyPartMatches(line: string, patterns: readonly string[]): boolean {
  const parsed = parseShellLine(line)
  if (!parsed.sound) return false
  const parts = parsed.commands.filter((command) => !isBareRedirect(command))
  if (parts.length === 0) return false
  if (parsed.commands.some((command) => command.redirects.some(writes))) return false
  return parts.every((command) => {
    if (command.words.length === 0 || command.assignments.length > 0) return false
    if (command.words[0]?.text === undefined) return false
    const text = command.words.map(wordPattern).join(' ')
    return patterns.some((pattern) => matchesPattern(text, pattern))
  })
}

/** Whether any part of the line, wrappers seen through, is covered by the pattern (for deny and ask). */
export function anyPartMatches(line: string, pattern: string): boolean {
  const parsed = parseShellLine(line)
  if (!parsed.sound && matchesPattern(line.trim(), pattern)) return true
  return parsed.commands.some((command) =>
    [command, ...innerCommands(command).map((inner) => inner.command)].some((each) =>
      spellings(each).some((text) => matchesPattern(text, pattern)),
    ),
  )
}

/**
 * A command glob: `*` is any text, a trailing ` *` or `:*` also no arguments, everything else is literal. Blanks
 * between words count as one.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const trimmed = pattern.trim().replaceAll(/\s+/g, ' ')
  if (trimmed === '*') return true
  const open = /^(.*?)(?::\*| \*)$/s.exec(trimmed)?.[1]
  const body = globExpression(open ?? trimmed)
  return new RegExp(`^${body}${open === undefined ? '' : '(?: .*)?'}$`, 's').test(text)
}

function globExpression(pattern: string): string {
  return pattern
    .split('*')
    .map((piece) => piece.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
}

/** The ways in which one command may be written and still be the same to a rule that forbids it. */
function spellings(command: SimpleCommand): string[] {
  const words = command.words.map(wordPattern)
  const [first, ...rest] = words
  if (first === undefined) return []
  const name = commandName(command.words[0]) ?? first
  const result = new Set([words.join(' '), [name, ...rest].join(' ')])
  if (name === 'git') result.add(['git', ...withoutGitOptions(rest)].join(' '))
  return [...result]
}

/** Git's own options before its command are left out: `git -C x push` is `git push`. */
export function withoutGitOptions(words: readonly string[]): string[] {
  let at = 0
  for (let word = words[at]; word?.startsWith('-') === true; word = words[at]) at += GIT_VALUE_OPTIONS.has(word) ? 2 : 1
  return words.slice(at)
}

function isBareRedirect(command: SimpleCommand): boolean {
  return command.words.length === 0 && command.assignments.length === 0
}

function writes(redirect: Redirect): boolean {
  return redirect.target.text === undefined || !HARMLESS_TARGETS.test(redirect.target.text)
}
