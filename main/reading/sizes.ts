const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes for people: `312 B`, `1.4 KB`, `25 MB`, in steps of 1,024. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}

const AGES: readonly (readonly [milliseconds: number, letter: string])[] = [
  [365 * 86_400_000, 'y'],
  [30 * 86_400_000, 'mo'],
  [7 * 86_400_000, 'w'],
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
]

/** How long ago something was, coarse: `just now`, `5m ago`, `3d ago`. */
export function formatAge(milliseconds: number): string {
  for (const [size, letter] of AGES) {
    if (milliseconds >= size) return `${Math.floor(milliseconds / size)}${letter} ago`
  }
  return 'just now'
}
