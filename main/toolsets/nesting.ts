/** Levels of arrays and objects in arguments. No tool takes over five; serialisers recurse and die of some thousands. */
export const MAX_NESTING = 200

/** Whether a value of JSON is nested deeper than `limit` levels. Walks level by level, so that no depth ends it. */
export function nestsDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (depth === limit && level.length > 0) return true
  }
  return false
}
