/** A run of output in one colour. `color` is a class name of the terminal palette, or empty. */
export interface AnsiSpan {
  readonly text: string
  readonly color: string
}

const colorClasses: Readonly<Record<number, string>> = { 0: 'k', 1: 'r', 2: 'g', 3: 'y', 4: 'b', 5: 'm', 6: 'c', 7: '' }

// Control sequences (CSI), operating system commands (OSC) and single-character escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const escapes = /\x1b(?:\[([0-9;:?]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])/g

function nextColor(codes: string, color: string): string {
  let next = color
  const numbers = codes === '' ? [0] : codes.split(/[;:]/).map(Number)
  for (let index = 0; index < numbers.length; index += 1) {
    const code = numbers[index] ?? 0
    if (code === 0 || code === 39) next = ''
    else if (code >= 30 && code <= 37) next = colorClasses[code - 30] ?? ''
    else if (code >= 90 && code <= 97) next = colorClasses[code - 90] ?? ''
    else if (code === 38 || code === 48) index += numbers[index + 1] === 5 ? 2 : 4
  }
  return next
}

/** Output of a program as coloured runs. Everything but the sixteen foreground colours is left out; `\r` rewrites its line. */
export function parseAnsi(output: string): readonly AnsiSpan[] {
  const text = output
    .replace(/\r\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
    .replaceAll('\r', '')
  const spans: AnsiSpan[] = []
  let color = ''
  let from = 0
  const add = (piece: string) => {
    const last = spans.at(-1)
    if (piece === '') return
    if (last !== undefined && last.color === color) spans[spans.length - 1] = { text: last.text + piece, color }
    else spans.push({ text: piece, color })
  }
  for (const match of text.matchAll(escapes)) {
    add(text.slice(from, match.index))
    from = match.index + match[0].length
    if (match[2] === 'm') color = nextColor(match[1] ?? '', color)
  }
  add(text.slice(from))
  return spans
}
