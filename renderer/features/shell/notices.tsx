import { useState } from 'react'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { setProjectTrusted } from '../../store/project-actions'
import { setMode } from '../../store/session-actions'
import { useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure } from '../../store/ui-store'

const attempt = (act: Promise<unknown>) => void act.catch(reportActFailure)

/** Truths about the session that a person must not miss, above the transcript. */
export function Notices() {
  const bypass = useSession(({ id, state }) => id !== null && state.mode === 'bypass')
  const untrusted = useSessions(({ project }) => (project !== null && !project.trusted ? project.path : null))
  const [dismissed, setDismissed] = useState<string | null>(null)
  return (
    <div className="notices">
      {bypass && (
        <Banner
          level="danger"
          icon="alert"
          actions={
            <Button small onClick={() => attempt(setMode('ask'))}>
              Back to ask
            </Button>
          }
        >
          <b className="strong">Bypass: nothing asks in this session.</b> Deny rules still hold.
        </Banner>
      )}
      {untrusted !== null && untrusted !== dismissed && (
        <Banner
          level="pending"
          icon="need"
          actions={
            <>
              <Button small onClick={() => attempt(setProjectTrusted(true))}>
                Trust folder
              </Button>
              <Button small kind="quiet" onClick={() => setDismissed(untrusted)}>
                Not now
              </Button>
            </>
          }
        >
          This folder is not trusted: its own settings, rules and hooks don’t count until you trust it.
        </Banner>
      )}
    </div>
  )
}
