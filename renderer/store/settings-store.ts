import { create } from 'zustand'
import type { SettingsIssue, VisibleSettings } from '../../preload/contract/settings'
import { bridge } from '../bridge'
import { changeLayout, useLayout } from './layout-store'

/** Line height of reading text, as a part of its size. */
const READING_LINE_HEIGHT = 1.57

interface SettingsStore {
  /** Null until the main process answered. */
  readonly values: VisibleSettings | null
  readonly issues: readonly SettingsIssue[]
  /** The person's settings file. */
  readonly file: string
}

/** The part of the settings that the window shows and follows. */
export const useSettings = create<SettingsStore>(() => ({ values: null, issues: [], file: '' }))

/** Reads the settings and follows them from now on. */
export async function followSettings(): Promise<VisibleSettings> {
  const { values, issues, file } = await bridge.settings.get()
  useSettings.setState({ issues, file })
  take(values)
  bridge.settings.changes(undefined, take)
  return values
}

/** Changes settings in the person's file. */
export async function changeSettings(change: Partial<VisibleSettings>): Promise<void> {
  take(await bridge.settings.update(change))
}

/** Draws the window in a theme at once and keeps it in the settings. */
export async function chooseTheme(theme: VisibleSettings['theme']): Promise<void> {
  changeLayout({ theme })
  await changeSettings({ theme })
}

function take(values: VisibleSettings): void {
  useSettings.setState({ values })
  // The layout remembers the theme too: the next window is painted with it before any settings are read.
  if (useLayout.getState().layout.theme !== values.theme) changeLayout({ theme: values.theme })
  const root = document.documentElement.style
  root.setProperty('--fs-read', `${values.fontSize}px`)
  root.setProperty('--lh-read', `${Math.round(values.fontSize * READING_LINE_HEIGHT)}px`)
}
