import type { ContentPart } from '../../preload/contract/content'

/** Characters of a title that the app makes; people may choose longer ones. */
const TITLE_CHARACTERS = 72

/** A session's first title: the first line of its first prompt, cut at a word. */
export function titleOf(content: readonly ContentPart[]): string {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  if (line === '') return content.some((part) => part.type === 'image') ? 'Image' : 'Untitled'
  if (line.length <= TITLE_CHARACTERS) return line
  const cut = line.slice(0, TITLE_CHARACTERS)
  const space = cut.lastIndexOf(' ')
  return `${space > TITLE_CHARACTERS / 2 ? cut.slice(0, space) : cut}…`
}
