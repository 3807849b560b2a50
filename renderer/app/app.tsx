import { IconSprite } from '../components/icon-sprite'
import { Shell } from '../features/shell'
import { FailureBoundary } from './failure-boundary'

/** The window with its symbols, behind a boundary that says what broke. */
export function App() {
  return (
    <FailureBoundary>
      <IconSprite />
      <Shell />
    </FailureBoundary>
  )
}
