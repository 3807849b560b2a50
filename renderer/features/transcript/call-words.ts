import type { CallItem } from '../../../preload/contract/session-state'
import type { IconName } from '../../components/icon-sprite'
import { formatDuration, plural } from '../../lib/format'

const toolIcons: readonly (readonly [RegExp, IconName])[] = [
  [/read|notebook|inspect/, 'read'],
  [/grep|search|find|glob|list|outline|symbols/, 'search'],
  [/edit|patch|replace|rewrite/, 'edit'],
  [/write|create/, 'file'],
  [/bash|shell|exec|run|repl|test|command/, 'term'],
  [/fetch|web|http/, 'globe'],
  [/agent|task|campaign/, 'agent'],
  [/plan|goal|todo/, 'plan'],
  [/undo|restore/, 'undo'],
  [/delete|remove/, 'trash'],
  [/image|view/, 'image'],
]

/** The symbol of a call: that of its state where the state matters, else that of its tool. */
export function callIcon(item: CallItem): IconName {
  switch (item.state) {
    case 'requested':
    case 'running':
      return 'arc'
    case 'asking':
      return 'need'
    case 'failed':
    case 'interrupted':
      return 'fail'
    case 'denied':
      return 'block'
    case 'done':
      return toolIcon(item.tool)
  }
}

/** The symbol of a tool by its name. */
export function toolIcon(tool: string): IconName {
  return toolIcons.find(([pattern]) => pattern.test(tool))?.[1] ?? 'tool'
}

const stateClasses: Readonly<Record<CallItem['state'], string>> = {
  requested: 'run',
  running: 'run',
  asking: 'need',
  done: '',
  failed: 'fail',
  denied: 'deny',
  interrupted: 'fail',
}

export function callClass(item: CallItem): string {
  return stateClasses[item.state]
}

/** What stands at the right of a settled call's row, short: the failure, the denial, how many lines it answered. */
export function callSummary(item: CallItem): {
  readonly text: string
  readonly tone: '' | 't-danger' | 't-warn' | 't-pending'
} {
  switch (item.state) {
    case 'failed':
      return { text: failureWords(item), tone: 't-danger' }
    case 'interrupted':
      return { text: 'interrupted', tone: 't-danger' }
    case 'denied':
      return { text: item.answeredBy === 'person' ? 'denied by you' : 'denied', tone: 't-warn' }
    case 'asking':
      return { text: 'waits for you', tone: 't-pending' }
    case 'requested':
    case 'running':
      return { text: '', tone: '' }
    case 'done':
      return { text: answeredLines(item), tone: '' }
  }
}

function failureWords(item: CallItem): string {
  const code = exitCode(item.details)
  if (code !== undefined) return `exit ${code}`
  return item.error?.code.replaceAll('_', ' ') ?? 'failed'
}

function exitCode(details: unknown): number | undefined {
  if (typeof details !== 'object' || details === null || !('exitCode' in details)) return undefined
  return typeof details.exitCode === 'number' ? details.exitCode : undefined
}

function answeredLines(item: CallItem): string {
  if (item.files !== undefined && item.files.length > 0) return ''
  const text = item.content?.find((part) => part.type === 'text')
  if (text === undefined || text.text === '' || text.blob !== undefined) return ''
  return plural(text.text.replace(/\n$/, '').split('\n').length, 'line')
}

/** How long a settled call took, or nothing. */
export function callTime(item: CallItem): string {
  return item.ms === undefined ? '' : formatDuration(item.ms)
}

/** Whether a call shows its evidence before the person folds or unfolds it: while it prints, and when it failed. */
export function unfoldsByItself(item: CallItem): boolean {
  if (item.state === 'running') return item.output !== ''
  return item.state === 'failed'
}

/** Levels of JSON that are indented: what is deeper grows with the square of its depth. */
const MAX_INDENTED_LEVELS = 100

function isDeep(json: string): boolean {
  let depth = 0
  for (const character of json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')) {
    if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > MAX_INDENTED_LEVELS) return true
  }
  return false
}

/** Arguments as people read them: indented where they are JSON, else as they came. */
export function prettyArguments(args: string): string {
  try {
    if (isDeep(args)) return args
    return JSON.stringify(JSON.parse(args), null, 2)
  } catch {
    return args
  }
}
