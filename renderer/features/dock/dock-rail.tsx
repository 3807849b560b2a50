import { runCommand } from '../../commands/registry'
import { Icon } from '../../components/icon'
import type { IconName } from '../../components/icon-sprite'
import { useSession } from '../../store/session-store'
import { useUi } from '../../store/ui-store'

function RailButton({
  icon,
  label,
  count,
  command,
}: {
  icon: IconName
  label: string
  count?: number
  command: string
}) {
  const over = useUi((state) => state.dockOver)
  return (
    <button
      type="button"
      className="rb inset"
      aria-label={count ? `${label}, ${count}` : label}
      title={label}
      onClick={() => (over ? useUi.setState({ dockOver: false }) : runCommand(command))}
    >
      <Icon name={icon} />
      {count !== undefined && count > 0 && <span className="count">{count}</span>}
    </button>
  )
}

/** The dock of a narrow window: a press lays it over the transcript. */
export function DockRail() {
  const files = useSession(({ state }) => Object.keys(state.sessionChanges).length)
  return (
    <nav className="rail r" aria-label="Panels, collapsed">
      <RailButton icon="diff" label="Changes" count={files} command="focus.changes" />
      <RailButton icon="clock" label="Timeline" command="focus.timeline" />
      <RailButton icon="term" label="Terminal" command="focus.terminal" />
    </nav>
  )
}
