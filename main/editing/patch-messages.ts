import type { Vocabulary } from './patch'

/** How a vocabulary spells its operations in messages. */
interface Spelling {
  readonly replace: string
  readonly delete: string
  readonly deleteBlock: string
  readonly replaceBlock: string
  readonly insert: string
  readonly insertForms: string
  readonly verbs: string
}

const SPELLINGS: Record<Vocabulary, Spelling> = {
  atomic: {
    replace: 'replace N..M:',
    delete: 'delete N..M',
    deleteBlock: 'delete block N',
    replaceBlock: 'replace block N:',
    insert: 'insert',
    insertForms: 'insert before|after|head|tail:',
    verbs: '`replace`, `delete`, or `insert` ops',
  },
  magi: {
    replace: 'SWAP N.=M:',
    delete: 'DEL N.=M',
    deleteBlock: 'DEL.BLK N',
    replaceBlock: 'SWAP.BLK N:',
    insert: 'INS',
    insertForms: 'INS.PRE|POST|HEAD|TAIL:',
    verbs: '`SWAP`, `DEL`, or `INS` ops',
  },
}

export const EMPTY_INPUT = 'edit input must be a non-empty hashline script with [PATH#TAG] sections.'
export const NO_SECTIONS = 'Patch input did not produce any sections.'
export const EMPTY_HEADER = 'Input header "[]" is empty; provide a file path.'
export const BARE_ROWS = 'Auto-prefixed bare body row(s) with `+`. Body rows must be `+TEXT` literal lines.'
export const LITERAL_HEADER = 'Literal +TEXT row resembles a valid hunk header; it was kept as literal payload text.'

/** Longest piece of the patch that a message repeats, in characters. */
const PREVIEW_CHARACTERS = 120

export function preview(text: string): string {
  return text.length <= PREVIEW_CHARACTERS ? text : `${text.slice(0, PREVIEW_CHARACTERS)}…`
}

/** The literal messages of the patch parser (EDIT-37 to EDIT-41). `at` puts the authored line in front. */
export const at = (line: number, message: string): string => `line ${line}: ${message}`

export const messages = {
  noHeader: (got: string, example: string) =>
    `input must begin with "[PATH#HASH]" on the first non-blank line for anchored edits; got: ${JSON.stringify(preview(got))}. Example: "[src/foo.ts#1A2B]" then ${example}.`,
  malformedHeader: (header: string) =>
    `Input header must be [PATH] or [PATH#TAG] with a 4-hex content-hash tag; got ${preview(header)}.`,
  missingTag: (path: string) =>
    `Missing hashline snapshot tag for ${path}; use \`[${path}#tag]\` from your latest read/search output. To create a new file, use the write tool.`,
  conflictingTags: (path: string, first: string, second: string) =>
    `Conflicting hashline snapshot tags for ${path}: #${first} and #${second}. Re-read the file and retry with one current header.`,
  unsafeAnchor: (digits: string) =>
    `line anchor "${preview(digits)}" is not a safe integer; line numbers must be positive safe integers no greater than 9007199254740991.`,
  expectedLine: (input: string) =>
    `expected a line number such as "119", "112", "7"; got "${preview(input)}". Use [PATH#hash] from your latest read for file-version binding.`,
  reversed: (start: number, end: number) => `range ${start}..${end} ends before it starts.`,
  tooLong: (start: number, end: number) =>
    `range ${start}..${end} expands to ${end - start + 1} lines; numeric ranges are limited to 100,000 lines.`,
  strayPlus: (row: string) => `payload line has no preceding hunk header. Got "${preview(row)}".`,
  strayRow: (row: string, vocabulary: Vocabulary) => {
    const words = SPELLINGS[vocabulary]
    return `payload line has no preceding hunk header. Use \`${words.replace}\`, \`${words.delete}\`, or \`${words.insertForms}\` above the body. Got "${preview(row)}".`
  },
  minusRow:
    '`-` rows are not valid; the range already names the lines being changed. For a literal `-` line, write `+-…`.',
  bareRow: (row: string) => `body rows must start with \`+\`. For this line write \`+${preview(row)}\`.`,
  deleteBody: (vocabulary: Vocabulary) => {
    const words = SPELLINGS[vocabulary]
    return `\`${words.delete}\` does not take body rows. Remove the body, or use \`${words.replace}\`.`
  },
  deleteBlockBody: (vocabulary: Vocabulary) => {
    const words = SPELLINGS[vocabulary]
    return `\`${words.deleteBlock}\` does not take body rows. Remove the body, or use \`${words.replaceBlock}\`.`
  },
  emptyInsert: (vocabulary: Vocabulary) => `\`${SPELLINGS[vocabulary].insert}\` needs at least one \`+TEXT\` body row.`,
  emptyReplaceBlock: (vocabulary: Vocabulary) => {
    const words = SPELLINGS[vocabulary]
    return `\`${words.replaceBlock}\` needs at least one \`+TEXT\` body row. To delete a block, use \`${words.deleteBlock}\`.`
  },
  emptyReplace: (vocabulary: Vocabulary) => {
    const words = SPELLINGS[vocabulary]
    return `\`${words.replace}\` needs at least one \`+TEXT\` body row. To delete lines, use \`${words.delete}\`.`
  },
  overlap: (anchor: number, other: number) =>
    `anchor line ${anchor} is already targeted by another hunk on line ${other}. Issue ONE hunk per range; payload is only the final desired content, never a before/after pair.`,
  leadingDiff: (vocabulary: Vocabulary) =>
    vocabulary === 'atomic'
      ? 'unified-diff hunk header (`@@ -N,M +N,M @@`) is not valid in hashline. File sections start with `[path#HASH]`; use `replace`, `delete`, or `insert` ops.'
      : `unified-diff hunk header (\`@@ -N,M +N,M @@\`) is not valid in hashline. File sections start with \`[path#HASH]\`; use ${SPELLINGS.magi.verbs}.`,
  sentinel: (row: string, vocabulary: Vocabulary) => {
    const words = SPELLINGS[vocabulary]
    return `apply_patch sentinel "${preview(row)}" is not valid in hashline. File sections start with \`[path#HASH]\` (no \`Update File:\` / \`Add File:\` keyword). Use \`${words.replace}\`, \`${words.delete}\`, or \`${words.insertForms}\` ops.`
  },
  diffHeader: (vocabulary: Vocabulary) => {
    const words = SPELLINGS[vocabulary]
    return `unified-diff hunk header (\`@@ -N,M +N,M @@\`) is not valid in hashline. Use \`${words.replace}\`, \`${words.delete}\`, or \`${words.insertForms}\` ops.`
  },
  bracketedHeader: (row: string, vocabulary: Vocabulary) =>
    `\`@@\`-bracketed hunk header "${preview(row)}" is not valid in hashline. Drop the \`@@ ... @@\` brackets and write a verb header such as \`${SPELLINGS[vocabulary].replace}\`.`,
  deleteColon: (vocabulary: Vocabulary) =>
    `\`${SPELLINGS[vocabulary].delete}\` has no colon and no body. Remove the colon and body rows.`,
  bareNumber: (anchor: string, vocabulary: Vocabulary) =>
    vocabulary === 'atomic'
      ? `hunk headers need a verb. Use \`replace ${anchor}..${anchor}:\` to replace, or \`delete ${anchor}\` to delete.`
      : `hunk headers need a verb. Use \`SWAP ${anchor}.=${anchor}:\` to replace, or \`DEL ${anchor}.=${anchor}\` to delete.`,
  bareRange: (start: string, end: string, vocabulary: Vocabulary) =>
    vocabulary === 'atomic'
      ? `bare range hunk header "${start}..${end}" is not valid. Hunk headers need a verb: write \`replace ${start}..${end}:\` or \`delete ${start}..${end}\`.`
      : `bare range hunk header "${start}.=${end}" is not valid. Hunk headers need a verb: write \`SWAP ${start}.=${end}:\` or \`DEL ${start}.=${end}\`.`,
  removeAlone: '`REM` takes no body and no other operation in its section.',
  moveBody: '`MV DEST` does not take body rows.',
  moveTwice: 'only one `MV` or `REM` is allowed in a section.',
  moveEmpty: '`MV` needs a destination path.',
  noHunks: (path: string) => `section for ${path} has no operation.`,
  tooManySections: (max: number) => `Patch has more than ${max} sections. Split it into several calls.`,
  tooLarge: (max: number) => `Patch is larger than ${max} bytes. Split it into several calls.`,
} as const
