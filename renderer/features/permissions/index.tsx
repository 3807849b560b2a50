import { EmptyState } from '../../components/banner'

/** Rules and grants in force. */
export default function Permissions() {
  return (
    <main className="scroll" data-testid="permissions">
      <EmptyState title="Permissions" />
    </main>
  )
}
