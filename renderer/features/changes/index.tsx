import { EmptyState } from '../../components/banner'
import { LineCounts } from '../../components/line-counts'
import { useSession } from '../../store/session-store'

/** What the session changed, by file. */
export default function Changes() {
  const changes = useSession(({ state }) => state.sessionChanges)
  const files = Object.values(changes)
  if (files.length === 0) {
    return (
      <div data-testid="changes" tabIndex={-1}>
        <EmptyState title="Nothing changed in this session" />
      </div>
    )
  }
  return (
    <ul className="files scroll" data-testid="changes" tabIndex={-1}>
      {files.map((file) => (
        <li key={file.path} className="row" data-testid="changed-file">
          <span className="mono cut grow">{file.path}</span>
          <LineCounts added={file.added} removed={file.removed} />
        </li>
      ))}
    </ul>
  )
}
