import type { ITheme } from '@xterm/xterm'
import { tokenColor } from '../../theme/colors'

/** The sixteen colours and the rest of a terminal from the tokens, as they are drawn now. */
export function terminalTheme(): ITheme {
  const of = tokenColor
  return {
    background: of('--term-bg'),
    foreground: of('--term-fg'),
    cursor: of('--term-fg'),
    cursorAccent: of('--term-bg'),
    selectionBackground: of('--selection'),
    scrollbarSliderBackground: of('--track'),
    scrollbarSliderHoverBackground: of('--line-strong'),
    scrollbarSliderActiveBackground: of('--line-control'),
    black: of('--term-black'),
    red: of('--term-red'),
    green: of('--term-green'),
    yellow: of('--term-yellow'),
    blue: of('--term-blue'),
    magenta: of('--term-magenta'),
    cyan: of('--term-cyan'),
    white: of('--term-white'),
    brightBlack: of('--fg-3'),
    brightRed: of('--term-red'),
    brightGreen: of('--term-green'),
    brightYellow: of('--term-yellow'),
    brightBlue: of('--term-blue'),
    brightMagenta: of('--term-magenta'),
    brightCyan: of('--term-cyan'),
    brightWhite: of('--term-fg'),
  }
}
