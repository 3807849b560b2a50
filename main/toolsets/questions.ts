import type { Answer, Ask } from '../../preload/contract/effects'
import { canonicalOf, kindOf } from '../permissions/canonical'
import { grantLabel, suggestRule } from '../permissions/suggest'
import type { EffectiveCall } from './calls'

/** What "for this session" would cover: every key must be granted, and each becomes one. */
export function grantOf(call: EffectiveCall): { keys: string[]; label: string } {
  const key = call.bound.grantKey(call.touches)
  if (key === undefined) return { keys: [], label: '' }
  if (key.kind !== 'file')
    return { keys: [`${call.tool.name} ${key.kind}:${key.value}`], label: grantLabel(key.kind, key.value) }
  // One grant a file, whichever tool changes it; an edit of several files needs them all.
  const files = call.touches.flatMap((touch) =>
    touch.kind === 'write' || touch.kind === 'delete' ? [touch.target] : [],
  )
  const targets = files.length > 0 ? files : [key.value]
  return { keys: targets.map((target) => `file:${target}`), label: grantLabel('file', targets.join(', ')) }
}

/** Makes the question: verb, object, question mark, and the answers that may be offered. */
export function questionAbout(
  call: EffectiveCall,
  options: { stage: string; reason: string; scopes: Answer[]; harm?: boolean },
): Ask {
  const { session } = call.context
  const grant = grantOf(call)
  const rule = suggestRule({
    toolset: session.toolset,
    tool: call.tool.name,
    args: call.bound.args,
    touches: call.touches,
    cwd: session.cwd,
  })
  const scopes = options.scopes.filter(
    (scope) => (scope !== 'session' || grant.keys.length > 0) && (scope !== 'always' || rule !== undefined),
  )
  return {
    question: `${verbOf(call)} ${shorten(call.bound.subject)}?`,
    reason: options.reason,
    stage: options.stage,
    scopes,
    ...(scopes.includes('session') && { grant: { key: grant.keys.join('\n'), label: grant.label } }),
    ...(scopes.includes('always') && { rule }),
    ...(options.harm && { harm: true }),
  }
}

function verbOf(call: EffectiveCall): string {
  const { preview } = call.prepared
  const kind = kindOf(canonicalOf(call.context.session.toolset, call.tool.name))
  if (kind === 'shell') return 'Run'
  if (preview?.kind === 'diff') {
    if (preview.files.every((file) => file.kind === 'deleted')) return 'Delete'
    if (preview.files.every((file) => file.kind === 'added')) return 'Create'
    return 'Edit'
  }
  return call.tool.title
}

/** Characters of the object in a heading; the card shows the whole below. */
const SUBJECT_CHARACTERS = 120

function shorten(subject: string): string {
  const line = subject.split('\n', 1)[0] ?? ''
  return line.length > SUBJECT_CHARACTERS ? `${line.slice(0, SUBJECT_CHARACTERS)}…` : line
}
