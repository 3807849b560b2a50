import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from '../lib/class-names'
import { Icon } from './icon'
import type { IconName } from './icon-sprite'

/** Space between a menu and what opened it, and between it and the window's edge, in CSS pixels. */
const MENU_GAP = 4

export interface MenuEntry {
  readonly key: string
  readonly label: ReactNode
  readonly detail?: string | undefined
  readonly icon?: IconName | undefined
  readonly chosen?: boolean | undefined
  readonly danger?: boolean | undefined
  /** Why it can't be chosen. */
  readonly disabled?: string | undefined
  /** A heading above this entry. */
  readonly group?: string | undefined
  readonly run: () => void
}

interface FloatingProps {
  readonly anchor: RefObject<HTMLElement | null>
  readonly label: string
  readonly onClose: () => void
  readonly className?: string | undefined
  readonly role?: 'menu' | 'dialog' | undefined
  readonly testId?: string | undefined
  readonly onKeyDown?: ((event: KeyboardEvent<HTMLDivElement>) => void) | undefined
  readonly children: ReactNode
}

/** Something that floats at what opened it: below where there is room, else above. Esc and a press outside close it. */
export function Floating({
  anchor,
  label,
  onClose,
  className,
  role = 'dialog',
  testId,
  onKeyDown,
  children,
}: FloatingProps) {
  const floating = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const element = floating.current
    const at = anchor.current?.getBoundingClientRect()
    if (element === null || at === undefined) return
    const { width, height } = element.getBoundingClientRect()
    const below = at.bottom + MENU_GAP + height <= window.innerHeight
    const top = below ? at.bottom + MENU_GAP : Math.max(MENU_GAP, at.top - MENU_GAP - height)
    const left = Math.max(MENU_GAP, Math.min(at.left, window.innerWidth - width - MENU_GAP))
    element.style.setProperty('top', `${top}px`)
    element.style.setProperty('left', `${left}px`)
  }, [anchor])

  useEffect(() => {
    const opener = anchor.current
    const onPointerDown = (event: PointerEvent) => {
      const target = event.target as Node
      if (!floating.current?.contains(target) && !anchor.current?.contains(target)) onClose()
    }
    // Caught before anything else: the same key stops a running turn.
    const onEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      onClose()
    }
    document.addEventListener('pointerdown', onPointerDown, true)
    document.addEventListener('keydown', onEscape, true)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true)
      document.removeEventListener('keydown', onEscape, true)
      opener?.focus()
    }
  }, [anchor, onClose])

  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useAriaPropsSupportedByRole: its role is a menu or a dialog
    <div
      ref={floating}
      className={classNames('floating', className)}
      role={role}
      aria-label={label}
      data-testid={testId}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>,
    document.body,
  )
}

interface MenuProps extends Pick<FloatingProps, 'anchor' | 'label' | 'onClose'> {
  readonly entries: readonly MenuEntry[]
  /** Said in place of the entries when there are none. */
  readonly empty?: ReactNode
}

function entriesOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
  const items = entriesOf(event.currentTarget)
  if (items.length === 0) return
  const at = items.indexOf(document.activeElement as HTMLElement)
  const step = steps[event.key]
  const next =
    step !== undefined
      ? (at + step + items.length) % items.length
      : event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? items.length - 1
          : -1
  if (next < 0) return
  event.preventDefault()
  items[next]?.focus()
}

/** A list of things to choose from. The chosen one has the focus first; arrow keys, Home and End move it. */
export function Menu({ anchor, label, onClose, entries, empty }: MenuProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (list.current === null) return
    const items = entriesOf(list.current)
    const chosen = items.find((item) => item.getAttribute('aria-checked') === 'true')
    ;(chosen ?? items[0])?.focus()
  }, [])
  const choosing = entries.some((entry) => entry.chosen !== undefined)
  return (
    <Floating anchor={anchor} label={label} onClose={onClose} role="menu" className="menu-frame" onKeyDown={moveFocus}>
      <ul ref={list} className="menu" role="none">
        {entries.length === 0 && <li className="mid sm">{empty}</li>}
        {entries.map((entry) => (
          <MenuRow key={entry.key} entry={entry} choosing={choosing} onClose={onClose} />
        ))}
      </ul>
    </Floating>
  )
}

function MenuRow({ entry, choosing, onClose }: { entry: MenuEntry; choosing: boolean; onClose: () => void }) {
  const icon = entry.icon ?? (choosing ? (entry.chosen ? 'check' : 'idle') : undefined)
  return (
    <>
      {entry.group !== undefined && (
        <li className="group-h" role="presentation">
          {entry.group}
        </li>
      )}
      <li role="none" className={classNames('menu-item', entry.chosen && 'on')}>
        {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: checked only where its role is a radio item */}
        <button
          type="button"
          className="inset"
          role={choosing ? 'menuitemradio' : 'menuitem'}
          aria-checked={choosing ? entry.chosen === true : undefined}
          aria-disabled={entry.disabled !== undefined}
          title={entry.disabled}
          onClick={() => {
            if (entry.disabled !== undefined) return
            onClose()
            entry.run()
          }}
        >
          {icon && <Icon name={icon} className={entry.chosen ? 't-accent' : 'dim'} />}
          <span className="grow">
            <span className={classNames('med cut', entry.danger && 't-danger')}>{entry.label}</span>
            {(entry.disabled ?? entry.detail) && <span className="sm mid">{entry.disabled ?? entry.detail}</span>}
          </span>
        </button>
      </li>
    </>
  )
}
