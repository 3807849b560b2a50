/** Lines shown on either side of an anchor (EDIT-36). */
const AROUND = 2

/** Anchors that get context; a patch of hundreds would fill the answer. */
const MAX_ANCHORS = 20

/** Longest line of context, in characters. */
const MAX_CHARACTERS = 500

/** Numbered rows around anchors, those marked with `*`, with `...` between stretches. `shown` are those printed in full. */
export function contextRows(lines: readonly string[], anchors: readonly number[]): { text: string; shown: number[] } {
  const present = [...new Set(anchors)].filter((line) => line >= 1 && line <= lines.length)
  const marked = present.sort((left, right) => left - right).slice(0, MAX_ANCHORS)
  const wanted = new Set<number>()
  for (const anchor of marked) {
    for (let line = anchor - AROUND; line <= anchor + AROUND; line += 1) {
      if (line >= 1 && line <= lines.length) wanted.add(line)
    }
  }
  const rows: string[] = []
  const shown: number[] = []
  let previous: number | undefined
  for (const line of [...wanted].sort((left, right) => left - right)) {
    if (previous !== undefined && line !== previous + 1) rows.push('...')
    const text = lines[line - 1] ?? ''
    const mark = marked.includes(line) ? '*' : ' '
    rows.push(`${mark}${line}:${text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text}`)
    if (text.length <= MAX_CHARACTERS) shown.push(line)
    previous = line
  }
  return { text: rows.join('\n'), shown }
}
