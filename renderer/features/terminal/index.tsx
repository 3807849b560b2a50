import { EmptyState } from '../../components/banner'

/** The person's shell in the project folder. */
export default function Terminal() {
  return (
    <div data-testid="terminal" tabIndex={-1}>
      <EmptyState title="No terminal open">Commands of the agent appear here by themselves.</EmptyState>
    </div>
  )
}
