/** A key with its modifiers, as commands name it: `Mod+Shift+F`. `Mod` is Ctrl, and Cmd on macOS. */
export type KeyName = string

/** What of a keyboard event decides; a plain object in tests. */
export type KeyStroke = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

interface ParsedKey {
  readonly mod: boolean
  readonly alt: boolean
  readonly shift: boolean
  readonly key: string
}

const codeNames: Readonly<Record<string, string>> = { Backquote: '`', Comma: ',', Space: 'space' }

function parseKey(name: KeyName): ParsedKey {
  const parts = name.split('+')
  const key = (parts.at(-1) ?? '').toLowerCase()
  return { mod: parts.includes('Mod'), alt: parts.includes('Alt'), shift: parts.includes('Shift'), key }
}

/** Letters and digits go by their place on the keyboard, so that Alt and other layouts don't change them. */
function strokeKey(stroke: KeyStroke): string {
  const match = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(stroke.code)
  if (match) return (match[1] ?? match[2] ?? '').toLowerCase()
  return codeNames[stroke.code] ?? stroke.key.toLowerCase()
}

/** Whether a key stroke is the named key, with exactly its modifiers. */
export function matchesKey(name: KeyName, stroke: KeyStroke, mac: boolean): boolean {
  const wanted = parseKey(name)
  const mod = mac ? stroke.metaKey : stroke.ctrlKey
  const other = mac ? stroke.ctrlKey : stroke.metaKey
  return (
    !other &&
    mod === wanted.mod &&
    stroke.altKey === wanted.alt &&
    stroke.shiftKey === wanted.shift &&
    strokeKey(stroke) === wanted.key
  )
}

const shownNames: Readonly<Record<string, string>> = { escape: 'Esc', enter: '⏎', space: 'Space' }

/** The key as labels show it: `Ctrl ⇧ F`, on macOS `⌘ ⇧ F`. */
export function showKey(name: KeyName, mac: boolean): string {
  const parsed = parseKey(name)
  const parts = [
    parsed.mod && (mac ? '⌘' : 'Ctrl'),
    parsed.alt && (mac ? '⌥' : 'Alt'),
    parsed.shift && '⇧',
    shownNames[parsed.key] ?? (name.includes('+') || parsed.key.length > 1 ? parsed.key.toUpperCase() : parsed.key),
  ]
  return parts.filter(Boolean).join(' ')
}
