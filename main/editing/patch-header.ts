import { EMPTY_HEADER, messages } from './patch-messages'

/** A section header, or why the line is none. `tag` is undefined where the header has none. */
export type HeaderMatch = { readonly path: string; readonly tag: string | undefined } | { readonly malformed: string }

const NOISE = /^(?:\*{3}\s*)?(?:(?:Update File|Add File|Delete File|Move to)\s*:\s*)?/

/** Reads a line that begins with `[` (EDIT-06, EDIT-25, EDIT-26). The tag is looked for from the right end; texts that
 * would share one have up to six digits. */
export function readHeader(line: string): HeaderMatch {
  const trimmed = line.trimEnd()
  if (!trimmed.endsWith(']')) return { malformed: messages.malformedHeader(trimmed) }
  const inner = unquote(trimmed.slice(1, -1).trim().replace(NOISE, '').trim())
  if (inner === '') return { malformed: EMPTY_HEADER }
  const tagged = /^(.*)#([0-9a-fA-F]{4,6})$/s.exec(inner)
  const path = unquote((tagged?.[1] ?? inner).trim())
  if (path === '') return { malformed: EMPTY_HEADER }
  if (path.includes('#')) return { malformed: messages.malformedHeader(trimmed) }
  return { path, tag: tagged?.[2]?.toUpperCase() }
}

function unquote(text: string): string {
  return /^(["'`])(.*)\1$/s.exec(text)?.[2] ?? text
}
