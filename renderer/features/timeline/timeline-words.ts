import type { Item, NoteItem, TurnEndItem } from '../../../preload/contract/session-state'
import type { IconName } from '../../components/icon-sprite'
import { formatTokens } from '../../lib/format'
import { callClass, callIcon, callSummary } from '../transcript/call-words'

/** What a row says. `ms` and `cost` stand at the right; `since` is set while it still runs. */
export interface RowWords {
  readonly icon: IconName
  readonly state: string
  readonly verb: string
  readonly subject: string
  readonly mono: boolean
  readonly ms?: number | undefined
  readonly since?: number | undefined
  readonly cost?: number | undefined
}

const noteWords: Readonly<Record<NoteItem['source'], readonly [IconName, string]>> = {
  notice: ['alert', 'Notice'],
  retry: ['refresh', 'Retry'],
  setting: ['sliders', 'Setting'],
  restored: ['undo', 'Restored'],
  interrupted: ['fail', 'Interrupted'],
  reminder: ['bell', 'Reminder'],
  compacted: ['low', 'Compacted'],
}

const stopWords: Readonly<Partial<Record<TurnEndItem['stop'], string>>> = {
  stopped: 'stopped by you',
  script_ended: 'the script ended',
  max_turns: 'limit of model turns',
  budget: 'the budget was used up',
  length: 'the model’s length limit',
  refused: 'the model declined',
  failed: 'failed',
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? ''
}

function fileCounts(item: Extract<Item, { kind: 'call' }>): string {
  const added = item.files?.reduce((sum, file) => sum + file.added, 0) ?? 0
  const removed = item.files?.reduce((sum, file) => sum + file.removed, 0) ?? 0
  return [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(' ')
}

function callWords(item: Extract<Item, { kind: 'call' }>): RowWords {
  const done = item.state === 'done'
  const after = done ? fileCounts(item) : callSummary(item).text
  const runs = item.state === 'running' || item.state === 'requested' || item.state === 'asking'
  return {
    icon: callIcon(item),
    state: item.parentCall === undefined ? callClass(item) : `in ${callClass(item)}`,
    verb: item.title,
    // Calls that could not be read have no subject.
    subject: [item.subject, after].filter((part) => part !== '').join(done ? ' ' : ', '),
    mono: true,
    ...(runs ? { since: item.at } : { ms: item.ms }),
  }
}

/** What a row of the timeline says about an item. `end` is the end of the item's turn, where it has ended. */
export function rowWords(item: Item, end: TurnEndItem | undefined, running: boolean): RowWords {
  switch (item.kind) {
    case 'prompt': {
      const text = item.content.find((part) => part.type === 'text')
      const subject = text === undefined ? 'Images' : firstLine(text.text)
      if (item.queued === 'steer') return { icon: 'steer', state: '', verb: 'Steered', subject, mono: false }
      const time = end !== undefined ? { ms: end.ms, cost: end.cost } : running ? { since: item.at } : {}
      return { icon: 'bob', state: 'turnrow', verb: `Turn ${item.turn}`, subject, mono: false, ...time }
    }
    case 'message': {
      const tokens = `${formatTokens(item.usage.input)} in, ${formatTokens(item.usage.output)} out`
      const subject = item.model.startsWith('scripted:') ? 'script, no model' : `${item.model}, ${tokens}`
      return { icon: 'cpu', state: '', verb: 'Model', subject, mono: false, ms: item.ms, cost: item.cost }
    }
    case 'call':
      return callWords(item)
    case 'note': {
      const [icon, verb] = noteWords[item.source]
      const state = item.level === 'error' ? 'fail' : item.level === 'warn' ? 'deny' : ''
      return { icon, state, verb, subject: firstLine(item.text), mono: false }
    }
    case 'turn-end': {
      const failed = item.error !== undefined || item.stop === 'failed'
      return {
        icon: failed ? 'fail' : 'stop',
        state: failed ? 'fail' : '',
        verb: `Turn ${item.turn} ended`,
        subject: item.error?.message ?? stopWords[item.stop] ?? item.stop.replaceAll('_', ' '),
        mono: false,
        ms: item.ms,
        cost: item.cost,
      }
    }
  }
}
