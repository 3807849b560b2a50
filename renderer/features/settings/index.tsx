import { EmptyState } from '../../components/banner'

/** The person's settings. */
export default function Settings() {
  return (
    <main className="scroll" data-testid="settings">
      <EmptyState title="Settings" />
    </main>
  )
}
