let probe: HTMLElement | undefined

/**
 * The value of a colour token as `#rrggbb` or `#rrggbbaa`, for libraries that draw by themselves. System colours, which
 * forced colours put in place of the tokens, come out as what the system draws.
 */
export function tokenColor(name: `--${string}`): string {
  if (probe === undefined) {
    probe = document.createElement('span')
    probe.hidden = true
    document.body.append(probe)
  }
  probe.style.setProperty('color', `var(${name})`)
  return hexColor(getComputedStyle(probe).color)
}

/** `rgb(30, 25, 15)` or `rgb(30 25 15 / 0.5)` as hex digits; anything else as black. */
export function hexColor(color: string): string {
  const numbers = color.match(/[\d.]+/g)?.map(Number) ?? []
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers
  const channels = alpha < 1 ? [red, green, blue, alpha * 255] : [red, green, blue]
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}

/** Calls back whenever the colours of the window change; the answer ends that. */
export function watchColors(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const forced = window.matchMedia('(forced-colors: active)')
  forced.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    forced.removeEventListener('change', onChange)
  }
}

/** The theme that is drawn now. */
export function drawnTheme(): 'light' | 'dark' | 'contrast' {
  const theme = document.documentElement.dataset.theme
  return theme === 'dark' || theme === 'contrast' ? theme : 'light'
}

/** A measure token, such as `--fs-code`, in CSS pixels. */
export function tokenPixels(name: `--${string}`): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name))
}

/** A token as its text, such as a list of font families. */
export function tokenText(name: `--${string}`): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}
