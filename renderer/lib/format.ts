const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A length of time with its unit: `8 ms`, `3.4 s`, `41 s`, `1 m 58 s`, `2 h 5 m`. `ms` in milliseconds. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m ${Math.floor((ms % MINUTE) / SECOND)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} m`
}

/** A running length of time, as a stop watch shows it: `0:41`, `12:05`. */
export function formatStopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const dayAndMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** The clock time of a moment, `14:02`. */
export function formatClock(at: number): string {
  return clock.format(at)
}

/** When something was, as a list shows it: `now`, `4 min`, `10:12` today, `Tue` this week, `3 Nov` before. */
export function formatWhen(at: number, now: number): string {
  const age = now - at
  if (age < MINUTE) return 'now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  if (startOfDay(at) === startOfDay(now)) return clock.format(at)
  return age < 7 * DAY ? weekday.format(at) : dayAndMonth.format(at)
}

/** Midnight before `at`, in local time. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** `96 KB`, `6.1 MB`; 1024-based, as file managers on the desktop count. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** Tokens: `412`, `31k`, `1.2M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  if (tokens < 10_000) return `${(tokens / 1000).toFixed(1)}k`
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`
  return `${(tokens / 1_000_000).toFixed(1)}M`
}

/** US dollars: `$0.42`, `$0.034`, `$0` left out by callers. */
export function formatCost(dollars: number): string {
  if (dollars > 0 && dollars < 0.1) return `$${dollars.toFixed(3)}`
  return `$${dollars.toFixed(2)}`
}

/** `1 file`, `3 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
