import type { SimpleCommand } from './shell-line'
import { parseShellLine } from './shell-line'
import { literalWord, type Word } from './shell-word'

/** How deep wrappers in wrappers are followed. */
const MAX_LAYERS = 12

/** Options that take the next word as their value, by wrapper. */
const VALUE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  sudo: [
    '-u',
    '-g',
    '-h',
    '-p',
    '-C',
    '-T',
    '-r',
    '-t',
    '-D',
    '-R',
    '-U',
    '--user',
    '--group',
    '--host',
    '--prompt',
    '--chdir',
    '--chroot',
  ],
  doas: ['-u', '-C'],
  env: ['-u', '-C', '--unset', '--chdir'],
  nice: ['-n', '--adjustment'],
  ionice: ['-c', '-n', '--class', '--classdata'],
  stdbuf: ['-i', '-o', '-e', '--input', '--output', '--error'],
  timeout: ['-k', '-s', '--kill-after', '--signal'],
  time: ['-f', '-o', '--format', '--output'],
  xargs: [
    '-I',
    '-n',
    '-P',
    '-L',
    '-s',
    '-d',
    '-a',
    '-E',
    '--replace',
    '--max-args',
    '--max-procs',
    '--max-lines',
    '--max-chars',
    '--delimiter',
    '--arg-file',
  ],
  exec: ['-a'],
  watch: ['-n', '--interval'],
  setsid: [],
  nohup: [],
  command: [],
  builtin: [],
  busybox: [],
  unbuffer: [],
  coproc: [],
  chronic: [],
}

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish'])

/** The last part of a command's path: `/usr/bin/rm` is `rm`. Undefined where the name is not known. */
export function commandName(word: Word | undefined): string | undefined {
  return word?.text?.replace(/^.*[/\\]/, '')
}

/** What a command really runs. `feeds` means its last arguments come from elsewhere (`xargs`). */
export interface Inner {
  readonly command: SimpleCommand
  readonly feeds: boolean
  /** The line it came from was understood. */
  readonly sound: boolean
  /** It stands in a script of its own, whose variables are not those of the line. */
  readonly scripted: boolean
}

/**
 * The commands hidden in a command, outermost first, without the command itself: behind `sudo`, `env X=Y`, `nohup`,
 * `time`, `timeout N`, `xargs`, `exec` and their like, in `sh -c '…'` and `eval`, and after `find -exec`.
 */
export function innerCommands(command: SimpleCommand): Inner[] {
  const found: Inner[] = []
  const waiting: { inner: Inner; layer: number }[] = [
    { inner: { command, feeds: false, sound: true, scripted: false }, layer: 0 },
  ]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next.layer > 0) found.push(next.inner)
    if (next.layer >= MAX_LAYERS) continue
    for (const inner of peel(next.inner)) waiting.push({ inner, layer: next.layer + 1 })
  }
  return found
}

function peel({ command, feeds, sound, scripted }: Inner): Inner[] {
  const [first, ...rest] = command.words
  const name = commandName(first)
  if (name === undefined) return []
  const as = (words: readonly Word[], fed = feeds): Inner[] =>
    words.length === 0
      ? []
      : [{ command: { ...command, words, assignments: [], redirects: [] }, feeds: fed, sound, scripted }]
  if (SHELLS.has(name)) return script(shellScript(rest), command, feeds)
  if (name === 'eval') return script(joined(rest), command, feeds)
  if (name === 'find' || name === 'fd') return execParts(rest).flatMap((words) => as(words, true))
  const values = VALUE_OPTIONS[name]
  if (values === undefined) return []
  let at = skipOptions(rest, values)
  if (name === 'timeout') at += 1
  if (name === 'env' || name === 'sudo' || name === 'doas') while (/^\w+=/.test(rest[at]?.raw ?? '')) at += 1
  if (name === 'env') {
    const split = rest.findIndex((word) => word.text === '-S' || word.text === '--split-string')
    if (split >= 0) return script(joined(rest.slice(split + 1)), command, feeds)
  }
  const words = rest.slice(at)
  if (name === 'watch') return [...script(joined(words), command, feeds), ...as(words)]
  return as(words, feeds || name === 'xargs')
}

function skipOptions(words: readonly Word[], values: readonly string[]): number {
  let at = 0
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const text = word.text ?? word.raw
    if (text === '--') return at + 1
    if (!text.startsWith('-') || text === '-') return text === '-' ? at + 1 : at
    at += values.includes(text) ? 2 : 1
  }
  return at
}

/** The text after `-c`, also in `-lc`. */
function shellScript(words: readonly Word[]): string | undefined {
  const at = words.findIndex((word) => /^-[a-z]*c[a-z]*$/i.test(word.text ?? ''))
  if (at < 0) return undefined
  const given = words.slice(at + 1).find((word) => !/^[-+]/.test(word.text ?? ''))
  return given === undefined ? undefined : (given.text ?? unquoted(given))
}

function joined(words: readonly Word[]): string | undefined {
  return words.length === 0 ? undefined : words.map((word) => word.text ?? unquoted(word)).join(' ')
}

function unquoted(word: Word): string {
  return word.parts
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'variable' ? `$${part.name}` : '$(…)'))
    .join('')
}

function script(text: string | undefined, around: SimpleCommand, feeds: boolean): Inner[] {
  if (text === undefined) return []
  const line = parseShellLine(text)
  const nested = (inner: SimpleCommand): SimpleCommand => ({ ...inner, nested: inner.nested || around.nested })
  const inner = line.commands.map((each) => ({ command: nested(each), feeds, sound: line.sound, scripted: true }))
  return line.sound
    ? inner
    : [
        ...inner,
        {
          command: { words: [literalWord(text)], assignments: [], redirects: [], nested: true },
          feeds,
          sound: false,
          scripted: true,
        },
      ]
}

/** The commands of `find … -exec COMMAND ;`. */
function execParts(words: readonly Word[]): Word[][] {
  const parts: Word[][] = []
  let current: Word[] | undefined
  for (const word of words) {
    const text = word.text ?? word.raw
    if (/^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(text)) {
      current = []
      parts.push(current)
    } else if (text === ';' || text === '+' || text === '\\;') current = undefined
    else current?.push(word)
  }
  return parts
}
