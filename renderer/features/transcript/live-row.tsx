import { memo } from 'react'
import type { LiveMessage, SessionState } from '../../../preload/contract/session-state'
import { Icon } from '../../components/icon'
import { PartBoundary } from '../../components/part-boundary'
import { formatBytes, formatCost, formatStopwatch } from '../../lib/format'
import { useSecond } from '../../lib/use-second'
import { modelLabel, useModels } from '../../store/models-store'
import { openCall, useSession } from '../../store/session-store'
import { StreamingMarkdown } from './markdown'

/** Characters of the model's thinking that are on screen while it thinks; all of it is in the folded line afterwards. */
const SHOWN_REASONING = 600

const StreamingCall = memo(function StreamingCall({ tool, characters }: { tool: string; characters: number }) {
  return (
    <div className="call run" data-state="streaming">
      <div className="h">
        <span className="n">
          <Icon name="arc" spin />
        </span>
        <span className="verb">{tool}</span>
        <span className="cut dim">writing its arguments</span>
        <span className="sum">{characters >= 1024 && <span>{formatBytes(characters)}</span>}</span>
      </div>
    </div>
  )
})

function LiveContent({ live }: { readonly live: LiveMessage }) {
  const thinking = live.text === '' && live.calls.length === 0
  return (
    <>
      {live.reasoning !== '' && thinking && (
        <div className="note thought live-thought">{live.reasoning.slice(-SHOWN_REASONING).trimStart()}</div>
      )}
      {live.reasoning !== '' && !thinking && <div className="think still">Reasoned</div>}
      {live.text !== '' && <StreamingMarkdown text={live.text} />}
      {live.calls.map((call) => (
        <StreamingCall key={call.call} tool={call.tool} characters={call.args.length} />
      ))}
    </>
  )
}

/** What the turn is doing, in a word or two. */
export function liveWords(state: SessionState, model: string): string {
  if (state.waiting.length > 0) return 'Waits for you'
  if (state.live !== null) {
    if (state.live.calls.length > 0) return 'Calling'
    return state.live.text !== '' ? 'Writing' : 'Reasoning'
  }
  const [call] = Object.keys(state.open)
  const item = call === undefined ? undefined : openCall(state, call)
  return item === undefined ? `Waiting for ${model}` : `Running ${item.title}`
}

function LiveStatus() {
  const providers = useModels((models) => models.providers)
  const words = useSession(({ state }) => liveWords(state, modelLabel(providers, state.model)))
  const since = useSession(({ state }) => state.running?.since ?? null)
  const cost = useSession(({ state }) => state.cost)
  const now = useSecond()
  return (
    <div className="live">
      <Icon name="bob" />
      <span>{words}</span>
      {since !== null && <span className="dim">turn {formatStopwatch(now - since)}</span>}
      {cost > 0 && <span className="dim">session {formatCost(cost)}</span>}
    </div>
  )
}

/** The live end of the line. While text streams, this is all of the transcript that is drawn again. */
export const LiveRow = memo(function LiveRow() {
  const live = useSession(({ state }) => state.live)
  return (
    <article
      className="turn live-turn"
      data-testid={live !== null && live.text !== '' ? 'message' : undefined}
      data-role="assistant"
    >
      {live !== null && (
        <PartBoundary what="The answer so far">
          <LiveContent live={live} />
        </PartBoundary>
      )}
      <LiveStatus />
    </article>
  )
})
