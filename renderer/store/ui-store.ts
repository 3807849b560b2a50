import { create } from 'zustand'
import type { ChangeScope } from '../../preload/contract/changes'
import type { CallId } from '../../preload/contract/ids'

/** Toasts on screen at once; older ones give way. */
const MAX_TOASTS = 3

/** A toast stays this long, in milliseconds: enough to read it and reach its button. */
const TOAST_MS = 8000

export interface Toast {
  readonly id: number
  readonly text: string
  readonly level: 'info' | 'warn' | 'danger'
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

/** Pages that cover the body of the window. */
export type Overlay = 'settings' | 'permissions' | 'connect'

/** Menus that a command can open. */
export type PickerName = 'model' | 'mode' | 'toolset' | 'usage'

interface UiStore {
  readonly overlay: Overlay | null
  readonly paletteOpen: boolean
  readonly picker: PickerName | null
  readonly confirmingBypass: boolean
  readonly toasts: readonly Toast[]
  /** Whether the person folded or unfolded a call; calls that are not in here follow their state. */
  readonly unfolded: Readonly<Record<CallId, boolean>>
  /** The dock lies over the transcript, in a window too narrow for three columns. */
  readonly dockOver: boolean
  /** What the Changes view should show next; a new object asks again for the same file. */
  readonly changesTarget: { readonly scope: ChangeScope; readonly path: string } | null
  /** A call that the transcript should bring into view and focus. */
  readonly revealCall: { readonly call: CallId } | null
  /** An item, by its index, that the transcript should bring into view; with `focus` its row takes the focus. */
  readonly revealItem: { readonly index: number; readonly focus: boolean } | null
  /** Calls whose cards are on screen. */
  readonly visibleWaiting: readonly CallId[]
}

/** What is open and shown. Nothing in here outlives the window. */
export const useUi = create<UiStore>(() => ({
  overlay: null,
  paletteOpen: false,
  picker: null,
  confirmingBypass: false,
  toasts: [],
  unfolded: {},
  dockOver: false,
  changesTarget: null,
  revealCall: null,
  revealItem: null,
  visibleWaiting: [],
}))

let toastCount = 0

/** Shows a toast. It leaves by itself, or when its action is taken. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  toastCount += 1
  const id = toastCount
  useUi.setState(({ toasts }) => ({ toasts: [...toasts, { ...toast, id }].slice(-MAX_TOASTS) }))
  setTimeout(() => dismissToast(id), TOAST_MS)
}

export function dismissToast(id: number): void {
  useUi.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

/** Says what went wrong when an act of the person failed. Whoever starts an act without awaiting it passes this. */
export function reportActFailure(error: unknown): void {
  showToast({ text: error instanceof Error ? error.message : String(error), level: 'danger' })
}

export function setUnfolded(call: CallId, unfolded: boolean): void {
  useUi.setState((state) => ({ unfolded: { ...state.unfolded, [call]: unfolded } }))
}

/** Brings a call into view in the transcript and moves the focus to its card. */
export function revealCall(call: CallId): void {
  useUi.setState({ revealCall: { call } })
}

/** Brings an item of the session on screen into view in the transcript, loaded or not. */
export function revealItem(index: number, focus = false): void {
  useUi.setState({ revealItem: { index, focus } })
}
