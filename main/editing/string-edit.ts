import { PlumblineError } from '../platform/errors'
import { applySplices, type Splice, type Spliced } from './splice'
import { normaliseText, splitLines, type TextFile } from './text-file'

/** Lines named in a refusal. */
const MAX_NAMED_LINES = 20

export interface StringEdit {
  readonly oldText: string
  readonly newText: string
  readonly all: boolean
}

/**
 * Replaces an exact text (EDIT-02, EDIT-03). Endings in the arguments don't matter: new lines take those of the file. The
 * new text is literal. Throws `invalid_arguments`, `not_found`, `conflict` (with count and lines) or `no_change`.
 */
export function replaceString(file: TextFile, edit: StringEdit, display: string): Spliced & { replacements: number } {
  const wanted = normaliseText(edit.oldText)
  const written = edit.newText.replaceAll('\r\n', '\n')
  if (wanted === '') {
    throw new PlumblineError(
      'invalid_arguments',
      'old_string is empty. Give the text to replace; to create a file, use write.',
    )
  }
  if (wanted === written) {
    throw new PlumblineError('no_change', 'old_string and new_string are the same. Nothing was written.')
  }
  const places = placesOf(file.text, wanted)
  if (places.length === 0) {
    throw new PlumblineError(
      'not_found',
      `old_string was not found in ${display}. Nothing was written. Read the file and copy the text exactly, blanks included.`,
    )
  }
  if (places.length > 1 && !edit.all) {
    const numbers = lineNumbers(file.text, places)
    const named = numbers.slice(0, MAX_NAMED_LINES).join(', ')
    const more = numbers.length > MAX_NAMED_LINES ? `, and ${numbers.length - MAX_NAMED_LINES} more` : ''
    throw new PlumblineError(
      'conflict',
      `old_string matches ${places.length} places in ${display} (lines ${named}${more}); it must match exactly one. Nothing was written. Add surrounding text, or set replace_all.`,
    )
  }
  const splices = splicesFor(file.text, places, wanted.length, written)
  const ends = endsWithNewline(file.text, places, wanted.length, written)
  return { ...applySplices(file, splices, ends), replacements: places.length }
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

/** Whole lines around the matches; matches that share a line become one splice. */
function splicesFor(text: string, places: readonly number[], length: number, written: string): Splice[] {
  const splices: Splice[] = []
  let line = 0
  let counted = 0
  let index = 0
  while (index < places.length) {
    const first = places[index] ?? 0
    const start = first === 0 ? 0 : text.lastIndexOf('\n', first - 1) + 1
    let region = ''
    let from = start
    let end = start
    do {
      const place = places[index] ?? 0
      region += text.slice(from, place) + written
      from = place + length
      index += 1
      end = regionEnd(text, from, region)
    } while (index < places.length && (places[index] ?? 0) < end)
    region += text.slice(from, end)
    line += countNewlines(text, counted, start)
    counted = start
    const old = splitLines(text.slice(start, end))
    splices.push({ above: line, removed: old.length, rows: splitLines(region) })
  }
  return splices
}

/** Where the lines that a replacement touches end: at once when it ends with a whole line, else with its last line. */
function regionEnd(text: string, from: number, region: string): number {
  const atLineStart = text[from - 1] === '\n'
  if (atLineStart && (region === '' || region.endsWith('\n'))) return from
  const newline = text.indexOf('\n', from)
  return newline === -1 ? text.length : newline + 1
}

function endsWithNewline(text: string, places: readonly number[], length: number, written: string): boolean {
  const last = places.at(-1) ?? 0
  if (last + length < text.length) return text.endsWith('\n')
  if (written !== '') return written.endsWith('\n')
  const before = text.slice(0, last)
  return before.endsWith('\n')
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function lineNumbers(text: string, places: readonly number[]): number[] {
  let line = 1
  let counted = 0
  return places.map((place) => {
    line += countNewlines(text, counted, place)
    counted = place
    return line
  })
}
