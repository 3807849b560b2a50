import { cutAt, type OutputSnapshot } from './output-window'

/** How much of an output a toolset shows, and which part. */
export type ShownLimit =
  /** Up to `characters` whole; above, the first and the last `ends`. */
  | { readonly keep: 'ends'; readonly characters: number; readonly ends: number }
  /** The end, bounded in lines and bytes. */
  | { readonly keep: 'tail'; readonly lines: number; readonly bytes: number }

export interface ShownOutput {
  readonly text: string
  readonly truncated: boolean
}

/** The part of an output that a limit lets through, with a note where something is left out. Characters stay whole. */
export function showOutput(output: OutputSnapshot, limit: ShownLimit): ShownOutput {
  return limit.keep === 'ends' ? showEnds(output, limit) : showTail(output, limit)
}

function showEnds(output: OutputSnapshot, limit: { characters: number; ends: number }): ShownOutput {
  if (output.complete && output.characters <= limit.characters) return { text: output.head, truncated: false }
  const end = output.complete ? output.head : output.tail
  const head = output.head.slice(0, cutAt(output.head, limit.ends))
  const tail = end.slice(cutAt(end, end.length - limit.ends, 'after'))
  const left = output.characters - head.length - tail.length
  return { text: `${head}\n\n[${left} characters left out]\n\n${tail}`, truncated: true }
}

function showTail(output: OutputSnapshot, limit: { lines: number; bytes: number }): ShownOutput {
  if (output.complete && output.lines <= limit.lines && output.bytes <= limit.bytes) {
    return { text: output.head, truncated: false }
  }
  const end = output.complete ? output.head : output.tail
  const lines = end.split('\n')
  const last = lines.at(-1) === '' ? 1 : 0
  let tail = lines.slice(-(limit.lines + last)).join('\n')
  if (Buffer.byteLength(tail) > limit.bytes) tail = tailBytes(tail, limit.bytes)
  const shown = tail.split('\n').length - (tail.endsWith('\n') ? 1 : 0)
  return { text: `[showing the last ${shown} of ${output.lines} lines]\n${tail}`, truncated: true }
}

/** The last whole lines within `bytes`, or the last characters where one line is longer. */
function tailBytes(text: string, bytes: number): string {
  const all = Buffer.from(text)
  const newline = all.indexOf(10, all.length - bytes)
  if (newline >= 0 && newline < all.length - 1) return all.subarray(newline + 1).toString('utf8')
  let start = all.length - bytes
  while (start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start += 1
  return all.subarray(start).toString('utf8')
}
