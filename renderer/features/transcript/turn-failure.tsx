import type { Failure } from '../../../preload/contract/errors'
import type { TurnEndItem } from '../../../preload/contract/session-state'
import { bridge } from '../../bridge'
import { ErrorBlock } from '../../components/banner'
import { Button } from '../../components/button'
import { formatClock, plural } from '../../lib/format'
import { sendText } from '../../store/session-actions'
import { useSession } from '../../store/session-store'
import { reportActFailure, useUi } from '../../store/ui-store'

/** What goes to the model when a failed turn is tried again: the conversation itself is still there. */
const TRY_AGAIN_TEXT = 'Go on from where this stopped.'

const attempt = (act: Promise<unknown>) => void act.catch(reportActFailure)

function Actions({ failure, at }: { readonly failure: Failure; readonly at: number }) {
  const keyTrouble = failure.code === 'provider_auth' || failure.code === 'key_missing'
  return (
    <>
      {keyTrouble ? (
        <Button small onClick={() => useUi.setState({ overlay: 'connect' })}>
          Replace key…
        </Button>
      ) : (
        <Button small onClick={() => attempt(sendText(TRY_AGAIN_TEXT))}>
          Try again
        </Button>
      )}
      <Button small kind="quiet" onClick={() => useUi.setState({ picker: 'model' })}>
        Switch model…
      </Button>
      <Button
        small
        kind="quiet"
        onClick={() => attempt(bridge.app.copyText(`${formatClock(at)} [${failure.code}] ${failure.message}`))}
      >
        Copy details
      </Button>
    </>
  )
}

/** The end of a turn that failed: what happened, what is safe, what can be done. */
export function TurnFailure({ item, failure }: { readonly item: TurnEndItem; readonly failure: Failure }) {
  const current = useSession(({ state }) => state.turn === item.turn)
  const changed = useSession(({ state }) => (state.turn === item.turn ? Object.keys(state.turnChanges).length : null))
  const safe =
    changed === null
      ? ''
      : changed === 0
        ? 'Nothing was changed by this turn.'
        : `${plural(changed, 'file')} changed by this turn, listed in Changes.`
  return (
    <div className="line-block">
      <ErrorBlock
        level="danger"
        icon={failure.code === 'provider_auth' || failure.code === 'key_missing' ? 'key' : 'fail'}
        title={failure.message}
        actions={current ? <Actions failure={failure} at={item.at} /> : undefined}
      >
        {formatClock(item.at)}, [{failure.code}]. {safe} Your message is kept.
      </ErrorBlock>
    </div>
  )
}
