import type { SessionSummary } from '../../preload/contract/session'
import { Icon } from './icon'
import type { IconName } from './icon-sprite'

export type MarkState = SessionSummary['state'] | 'archived'

const marks: Readonly<Record<MarkState, { readonly icon: IconName; readonly css: string; readonly label: string }>> = {
  running: { icon: 'arc', css: 'run', label: 'running' },
  'needs-you': { icon: 'need', css: 'need', label: 'needs you' },
  done: { icon: 'done', css: 'ok', label: 'done' },
  failed: { icon: 'fail', css: 'fail', label: 'failed' },
  idle: { icon: 'idle', css: 'idle', label: 'idle' },
  archived: { icon: 'archive', css: 'arch', label: 'archived' },
}

/** The words of a state, for names and titles. */
export function markLabel(state: MarkState): string {
  return marks[state].label
}

/** A state as a shape: arc runs, diamond needs the person, ticked and crossed circles have ended. */
export function StateMark({ state }: { readonly state: MarkState }) {
  const { icon, css, label } = marks[state]
  return (
    <span className={`st ${css}`}>
      <Icon name={icon} label={label} spin={state === 'running'} />
    </span>
  )
}
