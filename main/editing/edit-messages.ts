import { contextRows } from './context-rows'

/** Literal messages and warnings of an edit beyond its parsing (EDIT-37, EDIT-43 to EDIT-45). */
export const refusals = {
  sameFile: (first: string, second: string) =>
    `Multiple hashline sections resolve to the same file (${first} and ${second}). Merge their ops under one header before applying.`,
  couldNotEdit: (path: string, message: string) => `Could not edit file: ${path}. ${message}.`,
  notFound: (path: string) => `File not found: ${path}. Use the write tool to create new files.`,
  changedBeforeWrite: (path: string) =>
    `Stale hashline tag for ${path}: file content changed before write. Re-read before editing.`,
  unknownTag: (path: string, expected: string, actual: string) =>
    `Edit rejected for ${path}: hash #${expected} is not from this session.\nThe current file hashes to #${actual}. Re-read the file with \`read\` to copy a current [path#tag] header — never invent the tag and never reuse one from a prior session.`,
  /** The tag was given out, but its text had to make room for newer ones. */
  agedTag: (path: string, expected: string, actual: string) =>
    `Edit rejected for ${path}: hash #${expected} is from this session, but its text is no longer kept.\nThe current file hashes to #${actual}. Re-read the file with \`read\` to copy a current [path#tag] header before retrying.`,
  staleTag: (path: string, expected: string, actual: string) =>
    `Edit rejected for ${path}: file changed between read and edit.\nSection is bound to #${expected}, but the current file hashes to #${actual}. If a prior edit in this session modified this file, copy the [path#newhash] header from that edit's response; otherwise re-read the file with \`read\` to refresh the tag before retrying.`,
  noOp: (path: string) =>
    `Edits to ${path} parsed and applied cleanly, but produced no change: your body row(s) are byte-identical to the file at the targeted lines. The bug is somewhere else — re-read the file before issuing another edit. Do NOT widen the payload or add lines; verify the anchor first.`,
  noOpCount: (count: number) => `No-op count for this identical payload: ${count}.`,
  writeFailed: (path: string, message: string, written: readonly string[], unwritten: readonly string[]) =>
    `Failed to write ${path}: ${message}${written.length > 0 ? ` Sections already written: ${written.join(', ')}.` : ''}${unwritten.length > 0 ? ` Sections not written: ${unwritten.join(', ')}.` : ''}`,
  link: (path: string) => `Could not edit file: ${path}. It is a symbolic link; name the file it leads to.`,
  tooLarge: (path: string, bytes: number, max: number) =>
    `Could not edit file: ${path}. It has ${bytes} bytes; files up to ${max} bytes can be edited.`,
  resultTooLarge: (path: string, max: number) =>
    `Could not edit file: ${path}. The result would be larger than ${max} bytes.`,
  moveTaken: (from: string, to: string) =>
    `Could not move ${from} to ${to}: the destination already exists. Nothing was written.`,
  moveSame: (path: string) => `Could not move ${path}: source and destination are the same file.`,
} as const

export const warnings = {
  recoveredExternal:
    'Recovered from a stale file hash using a previous read snapshot (file changed externally between read and edit).',
  recoveredSession:
    'Recovered from a stale file hash using an earlier in-session snapshot (a prior edit in this session advanced the hash).',
  replayed:
    'Recovered by replaying your edits onto the current file content (a prior in-session edit changed the lines you re-targeted with a stale hash). Verify the diff matches your intent.',
  headTail:
    'Applied the `insert head:`/`insert tail:` edit despite a stale snapshot tag (file changed since your read) — head/tail position is content-independent. Re-read if the drift was unexpected.',
  batch: (count: number) => `Applied ${count} parallel edit calls as one snapshot-anchored batch.`,
  rewritten:
    'The file was changed again right after it was written, as a formatter does on saving. Tag and rows are those of what is on disk now.',
  undurable: 'The change is written, but its folder could not be flushed to disk; a loss of power may still undo it.',
  anchorEcho: (line: number) =>
    `The inserted rows repeat line ${line}, which stays in the file. Inserts never replace their anchor.`,
} as const

/** Lines printed at most in a refusal of unseen lines, and characters of each. */
const MAX_UNSEEN_ROWS = 40
const MAX_UNSEEN_CHARACTERS = 500

/**
 * The refusal for lines that were never shown (EDIT-14), with their text so that a plain retry can follow. `revealed` are
 * the lines that count as seen from now on: all of them when the list is whole, else none.
 */
export function unseenRefusal(
  path: string,
  lines: readonly string[],
  unseen: readonly number[],
): { message: string; revealed: readonly number[] } {
  const whole =
    unseen.length <= MAX_UNSEEN_ROWS && unseen.every((line) => (lines[line - 1] ?? '').length <= MAX_UNSEEN_CHARACTERS)
  const rows = unseen.slice(0, MAX_UNSEEN_ROWS).map((line) => {
    const text = lines[line - 1] ?? ''
    return `${line}:${text.length > MAX_UNSEEN_CHARACTERS ? `${text.slice(0, MAX_UNSEEN_CHARACTERS)}…` : text}`
  })
  const head = `Nothing was written. The patch for ${path} names ${unseen.length === 1 ? 'a line' : `${unseen.length} lines`} that this session was never shown.`
  const next = whole
    ? 'They read as follows; if the patch is still right, send it again with the same tag.'
    : `They begin as follows; read lines ${unseen[0]}-${unseen.at(-1)} of the file before editing them.`
  return { message: `${head} ${next}\n\n${rows.join('\n')}`, revealed: whole ? unseen : [] }
}

/** A mismatch message with the current rows around its anchors. */
export function withContext(
  message: string,
  lines: readonly string[],
  anchors: readonly number[],
): { message: string; shown: number[] } {
  const context = contextRows(lines, anchors)
  return { message: context.text === '' ? message : `${message}\n\n${context.text}`, shown: context.shown }
}
