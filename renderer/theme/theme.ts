import type { LayoutState } from '../../preload/contract/app'

type Theme = LayoutState['theme']

const moreContrast = window.matchMedia('(prefers-contrast: more)')
const darkScheme = window.matchMedia('(prefers-color-scheme: dark)')

/** The theme to draw: the chosen one, else high contrast where the system asks for it, else its light or dark. */
export function resolveTheme(chosen: Theme, contrast: boolean, dark: boolean): Exclude<Theme, 'system'> {
  if (chosen !== 'system') return chosen
  if (contrast) return 'contrast'
  return dark ? 'dark' : 'light'
}

let chosenTheme: Theme = 'system'

function apply(): void {
  const theme = resolveTheme(chosenTheme, moreContrast.matches, darkScheme.matches)
  document.documentElement.dataset.theme = theme
}

/** Draws the window in a theme. `system` keeps following the system until another one is chosen. */
export function setTheme(theme: Theme): void {
  chosenTheme = theme
  apply()
}

/** Follows the system's wishes from now on. Called once, before anything is drawn. */
export function followSystemTheme(): void {
  moreContrast.addEventListener('change', apply)
  darkScheme.addEventListener('change', apply)
  apply()
}
