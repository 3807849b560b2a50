import type { QueueEntry } from '../../../preload/contract/session-state'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { classNames } from '../../lib/class-names'
import { plural } from '../../lib/format'
import { sendQueued, takeQueued } from '../../store/session-actions'
import { useSession } from '../../store/session-store'
import { reportActFailure } from '../../store/ui-store'

function words(entry: QueueEntry): string {
  const text = entry.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
  const images = entry.content.filter((part) => part.type === 'image').length
  return images === 0 ? text : `${text} (${plural(images, 'image')})`.trim()
}

function whenSent(steer: boolean, running: boolean): string {
  if (!running) return 'after your next message'
  return steer ? 'after this call' : 'after this turn'
}

function QueueRow({ entry, running }: { readonly entry: QueueEntry; readonly running: boolean }) {
  const steer = entry.kind === 'steer'
  const take = (edit: boolean) => void takeQueued(entry.entry, edit).catch(reportActFailure)
  return (
    <li className={classNames('q', steer && 'steer')} data-testid="queued-message">
      <Icon name={steer ? 'steer' : 'queue'} />
      <span className="kind">{steer ? 'Steer' : 'Queued'}</span>
      <span className="cut" title={words(entry)}>
        {words(entry)}
      </span>
      <span className="row">
        <span className="mid xs hide-md">{whenSent(steer, running)}</span>
        {!running && entry.content.every((part) => part.type === 'text' && part.blob === undefined) && (
          <Button small onClick={() => void sendQueued(entry.entry).catch(reportActFailure)}>
            Send now
          </Button>
        )}
        <IconButton icon="edit" label="Edit" onClick={() => take(true)} />
        <IconButton icon="x" label="Remove" onClick={() => take(false)} />
      </span>
    </li>
  )
}

/** What waits to be sent, in the order in which it will be. */
export function QueueRows() {
  const queue = useSession(({ state }) => state.queue)
  const running = useSession(({ state }) => state.running !== null)
  if (queue.length === 0) return null
  return (
    <ul className="queue" aria-label="Messages waiting to be sent">
      {queue.map((entry) => (
        <QueueRow key={entry.entry} entry={entry} running={running} />
      ))}
    </ul>
  )
}
