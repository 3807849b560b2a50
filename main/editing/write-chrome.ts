import type { Snapshot, SnapshotStore } from './snapshots'
import { splitLines } from './text-file'

const HEADER = /^\[(.+)#([0-9a-fA-F]{4,6})\]\s*$/
const ROW = /^[* ]?(\d+):(.*)$/s
const CONFIRMATION = /^Successfully wrote (?:\d+ bytes )?to (.+?)\s*$/

/** Content without what was copied from a tool's answer, and what that was. */
export interface Stripped {
  readonly content: string
  /** Undefined when nothing was stripped. */
  readonly note?: string
}

/** All spellings of the target that count as its complete path. */
export interface TargetNames {
  readonly given: string
  readonly absolute: string
  readonly display: string
  readonly real: string
}

/**
 * Takes copied headers, confirmations and line prefixes out of what is to be written, only where they match a text that
 * this session knows (WRITE-14, WRITE-15). Everything else stays as it is.
 */
export function stripChrome(content: string, names: TargetNames, store: SnapshotStore): Stripped {
  const lines = splitLines(content.replaceAll('\r\n', '\n'))
  const header = HEADER.exec(lines[0] ?? '')
  const snapshot = header === null ? undefined : knownSnapshot(header[1] ?? '', header[2] ?? '', names, store)
  if (header !== null && snapshot === undefined) return { content }
  let body = header === null ? lines : lines.slice(1)
  const parts = header === null ? [] : ['the header']
  const confirmed = CONFIRMATION.exec(body[0] ?? '')?.[1]
  if (snapshot !== undefined && confirmed !== undefined && isTarget(confirmed, header?.[1] ?? '', names, snapshot)) {
    body = body.slice(1)
    parts.push('the confirmation line')
  }
  const known = snapshot ?? store.newest(names.real)
  const rows = known === undefined ? undefined : copiedRows(body, known)
  if (rows !== undefined) parts.push('the line numbers')
  if (parts.length === 0) return { content }
  const text = (rows?.lines ?? body).join('\n')
  const finalNewline =
    rows?.complete === true && known !== undefined ? known.text.endsWith('\n') : content.endsWith('\n')
  return {
    content: finalNewline && text !== '' ? `${text}\n` : text,
    note: `Stripped ${parts.join(', ').replace(/, ([^,]*)$/, ' and $1')} that had been copied from an earlier result.`,
  }
}

function knownSnapshot(path: string, tag: string, names: TargetNames, store: SnapshotStore): Snapshot | undefined {
  const own = store.byTag(names.real, tag)[0]
  if (own !== undefined) return own
  return store.anywhere(tag).find((snapshot) => endsWithPath(snapshot.path, path))
}

/** Whether a confirmation names the target, or the file whose snapshot was copied, by a complete path. */
function isTarget(path: string, headerPath: string, names: TargetNames, snapshot: Snapshot): boolean {
  return [names.given, names.absolute, names.display, names.real, headerPath, snapshot.path].includes(path)
}

function endsWithPath(real: string, path: string): boolean {
  const slashed = real.replaceAll('\\', '/')
  return slashed === path || slashed.endsWith(`/${path.replace(/^\.\//, '')}`)
}

/** Rows of a copied snapshot without their numbers: all are numbered, in order, and most still read as they did. */
function copiedRows(rows: readonly string[], known: Snapshot): { lines: string[]; complete: boolean } | undefined {
  const matches = rows.map((row) => ROW.exec(row))
  if (rows.length === 0 || matches.some((match) => match === null)) return undefined
  const before = splitLines(known.text)
  const numbers = matches.map((match) => Number(match?.[1]))
  if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0))) return undefined
  const lines = matches.map((match) => match?.[2] ?? '')
  const same = lines.filter((line, index) => before[(numbers[index] ?? 0) - 1] === line).length
  if (same * 2 < lines.length || same === 0) return undefined
  return { lines, complete: numbers.length === before.length && numbers[0] === 1 && numbers.at(-1) === before.length }
}
