import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import type { TerminalId } from '../../../preload/contract/ids'
import type { TerminalOutput } from '../../../preload/contract/terminal'
import { bridge, type Cancel } from '../../bridge'
import { useCommands } from '../../commands/registry'
import { isMac } from '../../lib/platform'
import { reportActFailure } from '../../store/ui-store'
import { tokenPixels, tokenText, watchColors } from '../../theme/colors'
import { screenText } from './screen-text'
import { terminalKey } from './terminal-keys'
import { terminalTheme } from './terminal-theme'

/** Lines kept above the screen. The main process keeps what is replayed when the view comes back. */
const SCROLLBACK_LINES = 10_000

/** The text for screen readers and tests follows the screen this often at most, in milliseconds. */
const TEXT_EVERY_MS = 250

/** A drag of the panel changes the size every frame; the shell is told when it rests this long, in milliseconds. */
const RESIZE_AFTER_MS = 60

export interface TerminalExit {
  readonly exitCode: number | null
  readonly signal: string | null
}

interface ViewHandlers {
  readonly onText: (text: string) => void
  readonly onExit: (exit: TerminalExit) => void
  readonly onFind: () => void
}

/**
 * One terminal on screen: draws what a shell prints and sends what is typed. The shell lives in the main process; a view
 * may go and another one come, and is given again what the shell printed.
 */
export class TerminalView {
  readonly #terminal: Terminal
  readonly #fit = new FitAddon()
  readonly #search = new SearchAddon()
  readonly #handlers: ViewHandlers
  readonly #ends: Cancel[] = []
  #id: TerminalId | null = null
  #textTimer: ReturnType<typeof setTimeout> | undefined
  #resizeTimer: ReturnType<typeof setTimeout> | undefined

  constructor(frame: HTMLElement, handlers: ViewHandlers) {
    this.#handlers = handlers
    this.#terminal = new Terminal({
      fontFamily: tokenText('--font-mono'),
      fontSize: tokenPixels('--fs-code'),
      lineHeight: 1.2,
      theme: terminalTheme(),
      scrollback: SCROLLBACK_LINES,
      cursorBlink: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
      minimumContrastRatio: 4.5,
      macOptionIsMeta: true,
      linkHandler: { activate: (_event, url) => openLink(url) },
    })
    this.#terminal.loadAddon(this.#fit)
    this.#terminal.loadAddon(this.#search)
    this.#terminal.loadAddon(new WebLinksAddon((_event, url) => openLink(url)))
    this.#terminal.attachCustomKeyEventHandler((event) => this.#onKey(event))
    this.#terminal.open(frame)
    this.#fit.fit()
    this.#ends.push(watchColors(() => this.#recolor()))
    this.#terminal.onWriteParsed(() => this.#tellText())
    this.#followSize(frame)
    void this.#drawWithGraphics()
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: Math.max(2, this.#terminal.cols), rows: Math.max(1, this.#terminal.rows) }
  }

  /** Shows a shell from its beginning and follows it until the view is disposed of. */
  attach(id: TerminalId): void {
    this.#id = id
    this.#ends.push(
      bridge.terminal.output(
        { terminal: id },
        (item) => this.#onOutput(item),
        (failure) => {
          if (failure !== null) this.#handlers.onExit({ exitCode: null, signal: null })
        },
      ),
    )
    this.#terminal.onData((data) => void bridge.terminal.write({ terminal: id, data }).catch(reportActFailure))
    this.#tellSize()
  }

  focus(): void {
    this.#terminal.focus()
  }

  /** Looks for text, from the last find on; `back` towards the beginning. Says whether there is any. */
  find(text: string, back: boolean): boolean {
    if (text === '') {
      this.#search.clearDecorations()
      this.#terminal.clearSelection()
      return true
    }
    return back ? this.#search.findPrevious(text) : this.#search.findNext(text)
  }

  dispose(): void {
    clearTimeout(this.#textTimer)
    clearTimeout(this.#resizeTimer)
    for (const end of this.#ends) end()
    this.#terminal.dispose()
  }

  #onOutput(item: TerminalOutput): void {
    if (item.type === 'data') this.#terminal.write(item.data)
    else this.#terminal.write('', () => this.#handlers.onExit(item))
  }

  #onKey(event: KeyboardEvent): boolean {
    const key = terminalKey(event, useCommands.getState().commands.values(), isMac)
    if (key === 'shell') return true
    if (event.type !== 'keydown') return false
    if (key === 'copy' && this.#terminal.hasSelection()) {
      event.preventDefault()
      bridge.app.copyText(this.#terminal.getSelection()).catch(reportActFailure)
    } else if (key === 'find') {
      event.preventDefault()
      this.#handlers.onFind()
    }
    // Pasting is the browser's own act on the focused field; the window's commands listen further out.
    return false
  }

  /** WebGL draws faster. Without it, or when the driver takes it away, the terminal draws itself with elements. */
  async #drawWithGraphics(): Promise<void> {
    let ended = false
    this.#ends.push(() => {
      ended = true
    })
    try {
      const { WebglAddon } = await import('@xterm/addon-webgl')
      if (ended) return
      const graphics = new WebglAddon()
      graphics.onContextLoss(() => graphics.dispose())
      this.#terminal.loadAddon(graphics)
    } catch {
      // Drawn with elements already.
    }
  }

  #recolor(): void {
    this.#terminal.options.theme = terminalTheme()
  }

  #followSize(frame: HTMLElement): void {
    const observer = new ResizeObserver(() => {
      if (frame.clientWidth === 0 || frame.clientHeight === 0) return
      this.#fit.fit()
      clearTimeout(this.#resizeTimer)
      this.#resizeTimer = setTimeout(() => this.#tellSize(), RESIZE_AFTER_MS)
    })
    observer.observe(frame)
    this.#ends.push(() => observer.disconnect())
  }

  #tellSize(): void {
    if (this.#id === null) return
    // A shell that has just ended has no size any more, and nobody misses it.
    bridge.terminal.resize({ terminal: this.#id, ...this.size }).catch(() => undefined)
  }

  #tellText(): void {
    if (this.#textTimer !== undefined) return
    this.#textTimer = setTimeout(() => {
      this.#textTimer = undefined
      this.#handlers.onText(screenText(this.#terminal.buffer.active, this.#terminal.rows))
    }, TEXT_EVERY_MS)
  }
}

function openLink(url: string): void {
  bridge.app.openExternal({ url }).catch(reportActFailure)
}
