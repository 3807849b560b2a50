import { ErrorBlock } from '../../components/banner'
import { Button } from '../../components/button'
import { focusComposer, setDraftText } from '../../store/composer-store'
import { showSession, useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { Composer } from '../composer'
import { Transcript } from '../transcript'
import { Notices } from './notices'

const suggestions = ['Explain this project', 'Fix a failing test', 'Review my uncommitted changes']

function NewSession() {
  const project = useSessions((state) => state.project)
  return (
    <div className="transcript-frame" data-testid="transcript" tabIndex={-1}>
      <div className="empty welcome">
        <h3>New session in {project?.name}</h3>
        <p className="sm">Say what should change. Plumbline reads first and asks before it writes.</p>
        <div className="row wrap">
          {suggestions.map((text) => (
            <Button
              key={text}
              small
              onClick={() => {
                setDraftText('new', text)
                focusComposer()
              }}
            >
              {text}
            </Button>
          ))}
        </div>
      </div>
    </div>
  )
}

function Failed() {
  const failure = useSession((state) => state.failure)
  const id = useSession((state) => state.id)
  return (
    <div className="transcript-frame">
      <div className="empty">
        <ErrorBlock
          level="danger"
          icon="fail"
          title={failure?.message ?? 'This session can’t be shown'}
          actions={
            <Button
              small
              onClick={() => {
                showSession(null)
                showSession(id)
              }}
            >
              Try again
            </Button>
          }
        >
          [{failure?.code}]. The journal on disk is untouched.
        </ErrorBlock>
      </div>
    </div>
  )
}

/** The middle of the window: the conversation and the composer. */
export function Conversation() {
  const id = useSession((state) => state.id)
  const phase = useSession((state) => state.phase)
  const empty = useSession(({ state, phase: now }) => now === 'ready' && state.length === 0 && state.running === null)
  return (
    <main className="main">
      <Notices />
      {phase === 'none' || empty ? <NewSession /> : phase === 'failed' ? <Failed /> : <Transcript key={id} />}
      <Composer />
    </main>
  )
}
