/**
 * Takes apart what a caller copied into one path (FIND-17): quotes around it go; a text that exists stays whole; otherwise
 * commas and semicolons part it when at least one part resolves, white space only when all do.
 */
export async function splitPathLists(
  given: readonly string[],
  resolves: (text: string) => Promise<boolean>,
): Promise<string[]> {
  const paths: string[] = []
  for (const entry of given) {
    const text = unquote(entry.trim())
    if (text !== '') paths.push(...(await splitOne(text, resolves)))
  }
  return paths
}

async function splitOne(text: string, resolves: (text: string) => Promise<boolean>): Promise<string[]> {
  if (await resolves(text)) return [text]
  const listed = partsOf(text, /[,;]/)
  if (listed.length > 1) {
    const found = await Promise.all(listed.map(resolves))
    if (found.some((known) => known)) return listed
  }
  const spaced = partsOf(text, /\s+/)
  if (spaced.length > 1) {
    const found = await Promise.all(spaced.map(resolves))
    if (found.every((known) => known)) return spaced
  }
  return [text]
}

function partsOf(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((part) => unquote(part.trim()))
    .filter((part) => part !== '')
}

function unquote(text: string): string {
  const match = /^(["'`])(.*)\1$/s.exec(text)
  return match?.[2] ?? text
}
