import { Component, type ReactNode } from 'react'
import { Button } from './button'

interface PartBoundaryProps {
  /** What could not be drawn, as the start of a sentence. */
  readonly what: string
  /** Something that is drawn anew when this changes. */
  readonly of?: unknown
  readonly children: ReactNode
}

interface PartBoundaryState {
  readonly failed: boolean
  readonly of: unknown
}

/** Keeps a failure while drawing to the part where it happened: the rest of the window stays as it is. */
export class PartBoundary extends Component<PartBoundaryProps, PartBoundaryState> {
  override state: PartBoundaryState = { failed: false, of: this.props.of }

  static getDerivedStateFromError(): Partial<PartBoundaryState> {
    return { failed: true }
  }

  static getDerivedStateFromProps(props: PartBoundaryProps, state: PartBoundaryState): PartBoundaryState | null {
    return Object.is(props.of, state.of) ? null : { failed: false, of: props.of }
  }

  override componentDidCatch(error: unknown): void {
    // Whoever listens for failures of the window hears of it.
    window.reportError(error)
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div className="note" role="alert">
        {this.props.what} could not be drawn. The session is not touched by it.{' '}
        <Button small onClick={() => this.setState({ failed: false })}>
          Draw again
        </Button>
      </div>
    )
  }
}
