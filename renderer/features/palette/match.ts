/** A stretch of a title, and whether the search hit it. */
export interface TitlePart {
  readonly text: string
  readonly hit: boolean
}

/**
 * How well a title fits a search, higher is better, or null when it does not: every word of the search must begin a
 * word of the title, or stand in it; hits at the front count most.
 */
export function matchScore(title: string, search: string): number | null {
  const text = title.toLowerCase()
  let score = 0
  for (const word of search.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = text.indexOf(word)
    if (at === -1) return null
    const startsWord = at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '')
    score += (startsWord ? 100 : 10) - Math.min(9, at / 4)
  }
  return score
}

/** The title cut into hit and other parts, by the first word of the search. */
export function titleParts(title: string, search: string): readonly TitlePart[] {
  const word = search.toLowerCase().split(/\s+/).find(Boolean)
  const at = word === undefined ? -1 : title.toLowerCase().indexOf(word)
  if (word === undefined || at === -1) return [{ text: title, hit: false }]
  return [
    { text: title.slice(0, at), hit: false },
    { text: title.slice(at, at + word.length), hit: true },
    { text: title.slice(at + word.length), hit: false },
  ].filter((part) => part.text !== '')
}
