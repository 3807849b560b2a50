import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { classNames } from '../lib/class-names'

/** One press of an arrow key moves a sash this far, in CSS pixels. */
const KEY_STEP = 16

interface SashProps {
  readonly label: string
  /** `vertical` divides left from right. */
  readonly orientation: 'vertical' | 'horizontal'
  readonly className: string
  readonly size: number
  readonly minimum: number
  readonly maximum: number
  /** A panel at the end of its axis grows against the direction of the pointer. */
  readonly atEnd?: boolean | undefined
  readonly onResize: (size: number) => void
  readonly onReset: () => void
}

/** The line between two panels: dragged, moved with the arrow keys, put back with a double click. */
export function Sash({ label, orientation, className, size, minimum, maximum, atEnd, onResize, onReset }: SashProps) {
  const drag = useRef<{ readonly from: number; readonly size: number } | null>(null)
  const along = (event: PointerEvent) => (orientation === 'vertical' ? event.clientX : event.clientY)
  const resize = (next: number) => onResize(Math.round(Math.max(minimum, Math.min(maximum, next))))

  const onKeyDown = (event: KeyboardEvent) => {
    const [less, more] = orientation === 'vertical' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    if (event.key !== less && event.key !== more) return
    event.preventDefault()
    const step = (event.key === more) === (atEnd !== true) ? KEY_STEP : -KEY_STEP
    resize(size + step)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't be dragged; this is the window splitter of the ARIA patterns
    <div
      className={classNames('sash', className)}
      role="separator"
      aria-orientation={orientation}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={minimum}
      aria-valuemax={Math.round(maximum)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { from: along(event), size }
      }}
      onPointerMove={(event) => {
        if (drag.current === null) return
        const moved = along(event) - drag.current.from
        resize(drag.current.size + (atEnd ? -moved : moved))
      }}
      onPointerUp={() => {
        drag.current = null
      }}
      onLostPointerCapture={() => {
        drag.current = null
      }}
    />
  )
}
