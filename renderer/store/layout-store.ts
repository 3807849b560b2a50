import { create } from 'zustand'
import type { LayoutState } from '../../preload/contract/app'
import { bridge } from '../bridge'

/** The layout of a first start. The widths are those of the design tokens. */
export const defaultLayout: LayoutState = {
  sessionsWidth: 240,
  sessionsOpen: true,
  dockWidth: 560,
  dockOpen: true,
  lowerHeight: 296,
  lowerOpen: true,
  lowerTab: 'timeline',
  diffLayout: 'split',
  theme: 'system',
}

/** Dragging a sash changes the layout every frame; the disk is told when it rests this long, in milliseconds. */
const SAVE_AFTER_MS = 250

interface LayoutStore {
  readonly layout: LayoutState
}

/** How the window is divided. Remembered through the bridge. */
export const useLayout = create<LayoutStore>(() => ({ layout: defaultLayout }))

let saveTimer: ReturnType<typeof setTimeout> | undefined

/** Takes the remembered layout over, once, at the start. */
export async function loadLayout(): Promise<void> {
  useLayout.setState({ layout: await bridge.app.getLayout() })
}

/** Changes a part of the layout and remembers it. */
export function changeLayout(change: Partial<LayoutState>): void {
  useLayout.setState(({ layout }) => ({ layout: { ...layout, ...change } }))
  clearTimeout(saveTimer)
  saveTimer = setTimeout(saveLayout, SAVE_AFTER_MS)
}

/** Writes a layout that is not yet remembered, for a window that is about to close. */
export function flushLayout(): void {
  if (saveTimer !== undefined) saveLayout()
}

function saveLayout(): void {
  clearTimeout(saveTimer)
  saveTimer = undefined
  void bridge.app.setLayout(useLayout.getState().layout).catch(() => undefined)
}
