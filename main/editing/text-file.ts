import { PlumblineError } from '../platform/errors'

/** How a line ends: nothing (only the last line of a file may), a line feed, or carriage return and line feed. */
export const ENDING_NONE = 0
export const ENDING_LF = 1
export const ENDING_CRLF = 2

const ENDING_TEXT = ['', '\n', '\r\n'] as const
const BOM = '\uFEFF'
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/**
 * A text file as editing sees it. Lines are split on LF only; one CR before it belongs to the ending. A terminal newline
 * ends the last line and starts none: an empty file has no line. Bare CRs stay inside their line.
 */
export interface TextFile {
  /** The file begins with a byte-order mark, which is no part of line 1. */
  readonly bom: boolean
  /** Without endings. */
  readonly lines: readonly string[]
  /** One ENDING_ value a line. */
  readonly endings: Uint8Array
  /** What tags are made of: no mark, every ending a line feed, the final newline where the file has one. */
  readonly text: string
}

/**
 * Decodes strictly, so that encoding gives the same bytes. Throws `binary_file` for bytes with a NUL and
 * `invalid_encoding` for what is not UTF-8; `name` is how the message calls the file.
 */
export function decodeTextFile(bytes: Uint8Array, name: string): TextFile {
  if (bytes.includes(0)) {
    throw new PlumblineError('binary_file', `${name} holds NUL bytes and can't be edited as text.`)
  }
  let raw: string
  try {
    raw = decoder.decode(bytes)
  } catch (failure) {
    throw new PlumblineError('invalid_encoding', `${name} is not valid UTF-8 and can't be edited as text.`, {
      cause: failure,
    })
  }
  return parseTextFile(raw)
}

/** Splits text as `decodeTextFile` does. */
export function parseTextFile(raw: string): TextFile {
  const bom = raw.startsWith(BOM)
  const body = bom ? raw.slice(1) : raw
  const parts = splitLines(body)
  const endings = new Uint8Array(parts.length).fill(ENDING_LF)
  if (parts.length > 0 && !body.endsWith('\n')) endings[parts.length - 1] = ENDING_NONE
  if (!body.includes('\r\n')) return { bom, lines: parts, endings, text: body }
  for (let index = 0; index < parts.length; index += 1) {
    const line = parts[index] ?? ''
    if (endings[index] === ENDING_LF && line.endsWith('\r')) {
      parts[index] = line.slice(0, -1)
      endings[index] = ENDING_CRLF
    }
  }
  return { bom, lines: parts, endings, text: joinLines(parts, body.endsWith('\n')) }
}

/** The bytes of a file, mark and endings included. */
export function encodeTextFile(file: TextFile): Uint8Array {
  return encoder.encode((file.bom ? BOM : '') + rawText(file))
}

/** Lines of text in the normal form; a terminal newline starts no further line. */
export function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (text.endsWith('\n')) lines.pop()
  return lines
}

/** The normal form of lines. */
export function joinLines(lines: readonly string[], finalNewline: boolean): string {
  return lines.join('\n') + (finalNewline && lines.length > 0 ? '\n' : '')
}

/** Any text in the form that tags are made of: no mark, CRLF turned into LF. */
export function normaliseText(raw: string): string {
  const body = raw.startsWith(BOM) ? raw.slice(1) : raw
  return body.includes('\r\n') ? body.replaceAll('\r\n', '\n') : body
}

/** The ending that most lines have; LF where none has any. */
export function majorityEnding(endings: Uint8Array): typeof ENDING_LF | typeof ENDING_CRLF {
  let crlf = 0
  let lf = 0
  for (const ending of endings) {
    if (ending === ENDING_CRLF) crlf += 1
    else if (ending === ENDING_LF) lf += 1
  }
  return crlf > lf ? ENDING_CRLF : ENDING_LF
}

function rawText(file: TextFile): string {
  const { lines, endings } = file
  const last = lines.length - 1
  if (!endings.includes(ENDING_CRLF)) return file.text
  const parts: string[] = []
  for (let index = 0; index <= last; index += 1) {
    parts.push(
      lines[index] ?? '',
      ENDING_TEXT[endings[index] === ENDING_CRLF ? 2 : endings[index] === ENDING_LF ? 1 : 0],
    )
  }
  return parts.join('')
}
