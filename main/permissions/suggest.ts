import path from 'node:path'
import type { Touch } from '../../preload/contract/effects'
import type { ToolsetName } from '../../preload/contract/ids'
import { withoutGitOptions } from './match-command'
import { parseShellLine } from './shell-line'
import { wordPattern } from './shell-word'

/** Programs whose first word after the name says what they do, so a rule may cover that word and what follows. */
const WITH_VERBS = new Set([
  'git',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'cargo',
  'go',
  'make',
  'docker',
  'kubectl',
  'dotnet',
  'mvn',
  'gradle',
  'just',
  'uv',
  'poetry',
])

/** Programs that run whatever they are given: a rule with `*` for them would allow everything. */
const RUNS_ANYTHING = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'fish',
  'env',
  'sudo',
  'xargs',
  'eval',
  'exec',
  'node',
  'python',
  'python3',
  'perl',
  'ruby',
  'find',
  'ssh',
  'nohup',
  'timeout',
  'time',
  'npx',
  'awk',
  'rm',
])

/** What a rule is suggested for. */
export interface SuggestedCall {
  readonly toolset: ToolsetName
  readonly tool: string
  readonly args: unknown
  readonly touches: readonly Touch[]
  readonly cwd: string
}

/**
 * The rule that "always" would add for this call, as narrow as is still useful; the person may edit it. For a command
 * line it covers the first command only where all others are of the same kind, else exactly this line's commands.
 */
export function suggestRule(call: SuggestedCall): string {
  const { tool, touches, cwd } = call
  const commandLine = touches.find((touch) => touch.kind === 'run')?.target
  if (commandLine !== undefined) return commandRule(tool, commandLine)
  const host = touches.find((touch) => touch.kind === 'host')
  if (host !== undefined) return `${tool}(host:${host.target})`
  const file = touches.find((touch) => touch.kind === 'write' || touch.kind === 'delete' || touch.kind === 'read')
  if (file === undefined) return tool
  const relative = path.relative(cwd, file.target)
  const inside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative)
  const pattern = inside ? `/${relative.split(path.sep).join('/')}` : `/${file.target.split(path.sep).join('/')}`
  return `${tool}(${escapePattern(pattern)})`
}

function commandRule(tool: string, line: string): string {
  const parsed = parseShellLine(line)
  const [first] = parsed.commands.filter((command) => command.words.length > 0)
  const words = first?.words.map(wordPattern) ?? []
  const [name] = words
  if (!parsed.sound || name === undefined) return `${tool}(${line.trim().replaceAll(/\s+/g, ' ')})`
  const exact = `${tool}(${words.join(' ')})`
  if (RUNS_ANYTHING.has(name) || first?.words[0]?.text === undefined) return exact
  if (!WITH_VERBS.has(name)) return words.length === 1 ? exact : `${tool}(${name} *)`
  const [verb, next] = name === 'git' ? withoutGitOptions(words.slice(1)) : words.slice(1)
  if (verb === undefined || verb.startsWith('-')) return exact
  if (verb === 'run' && next !== undefined) return `${tool}(${name} run ${next})`
  return words.length === 2 ? exact : `${tool}(${name} ${verb} *)`
}

/** What a grant for this session covers, in words (PERM-02). */
export function grantLabel(kind: 'file' | 'host' | 'server' | 'tool' | 'folder' | 'model', value: string): string {
  switch (kind) {
    case 'file':
      return `Changes of ${value}`
    case 'host':
      return `Requests to ${value}`
    case 'server':
      return `All tools of the server ${value}`
    case 'folder':
      return `Reading in ${value}`
    case 'model':
      return `Sending images to ${value}`
    case 'tool':
      return `All calls of ${value}`
  }
}

function escapePattern(pattern: string): string {
  return pattern.replaceAll(/[*?[\]\\]/g, '\\$&')
}
