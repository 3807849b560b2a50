import { EmptyState } from '../../components/banner'

/** What happened, one row an event. */
export default function Timeline() {
  return (
    <div data-testid="timeline" tabIndex={-1}>
      <EmptyState title="No events yet" />
    </div>
  )
}
