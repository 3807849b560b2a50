/** The part of an xterm buffer that is read; a plain object in tests. */
export interface ReadableBuffer {
  readonly baseY: number
  readonly length: number
  getLine(row: number): { readonly isWrapped: boolean; translateToString(trimRight?: boolean): string } | undefined
}

/** The last screen of a terminal as text: `rows` rows, wrapped ones joined, without the empty rows at the end. */
export function screenText(buffer: ReadableBuffer, rows: number): string {
  const lines: string[] = []
  let first = buffer.baseY
  while (first > 0 && buffer.getLine(first)?.isWrapped === true) first -= 1
  for (let row = first; row < Math.min(buffer.length, buffer.baseY + rows); row += 1) {
    const line = buffer.getLine(row)
    if (line === undefined) continue
    const continues = buffer.getLine(row + 1)?.isWrapped === true
    const text = line.translateToString(!continues)
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text
    else lines.push(text)
  }
  return lines.join('\n').trimEnd()
}
