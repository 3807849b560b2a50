import { Component, type ReactNode } from 'react'
import { ErrorBlock } from '../components/banner'
import { Button } from '../components/button'
import { reportFailure } from './report-failures'

interface FailureBoundaryState {
  readonly failure: string | null
}

/** Shows what broke in place of a white window. Sessions run in the main process and are not touched by it. */
export class FailureBoundary extends Component<{ readonly children: ReactNode }, FailureBoundaryState> {
  override state: FailureBoundaryState = { failure: null }

  static getDerivedStateFromError(error: unknown): FailureBoundaryState {
    return { failure: error instanceof Error ? error.message : String(error) }
  }

  override componentDidCatch(error: unknown): void {
    reportFailure(error)
  }

  override render(): ReactNode {
    if (this.state.failure === null) return this.props.children
    return (
      <main className="canvas">
        <div className="empty">
          <ErrorBlock
            level="danger"
            icon="fail"
            title="The window could not be drawn"
            actions={
              <Button small onClick={() => window.location.reload()}>
                Draw again
              </Button>
            }
          >
            {this.state.failure}. Sessions go on and nothing is lost.
          </ErrorBlock>
        </div>
      </main>
    )
  }
}
