import { useEffect, useRef, useState } from 'react'
import { ErrorBlock } from '../../components/banner'
import { Button } from '../../components/button'
import { setMode } from '../../store/session-actions'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure, useUi } from '../../store/ui-store'

/** The word that the main process wants to see. */
const BYPASS_WORD = 'bypass'

/** Asks for a typed yes before nothing asks any more. Sits above the composer; it is no dialog and blocks nothing. */
export function BypassConfirmation() {
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const project = useSessions((state) => state.project)
  const close = () => useUi.setState({ confirmingBypass: false })
  const confirm = () => {
    close()
    void setMode('bypass', BYPASS_WORD).catch(reportActFailure)
  }
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className="card confirm"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed === BYPASS_WORD) confirm()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
    >
      <ErrorBlock
        level="danger"
        icon="alert"
        title="Turn asking off in this session?"
        actions={
          <>
            <label className="field grow">
              <input
                ref={field}
                aria-label="Type bypass to go on"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            </label>
            <Button kind="danger" type="submit" disabled={typed !== BYPASS_WORD}>
              Turn off asking
            </Button>
            <Button kind="quiet" onClick={close}>
              Cancel
            </Button>
          </>
        }
      >
        Every edit and command in {project?.path ?? 'this folder'} runs at once, deletes included. Deny rules and the
        sandbox stay. Type <b className="strong">{BYPASS_WORD}</b> to go on.
      </ErrorBlock>
    </form>
  )
}
