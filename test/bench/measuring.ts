/** What the runner of measurements passes in. */
export interface MeasureContext {
  /** The project's folder. */
  root: string
  /** An empty folder for this measurement, removed afterwards. */
  work: string
  options: string[]
  electron?: { executable: string; args: string[] }
}

/** What a measurement answers with; the runner prints it as a table. */
export interface Measured {
  title?: string
  rows?: Record<string, string | number | boolean>[]
  notes?: string[]
  /** False makes the run fail. */
  ok?: boolean
}

/** The value below which the given share (0 to 1) of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))
  return sorted[at] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The environment for an Electron with its state in `home`. */
export function environmentFor(home: string): Record<string, string> {
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || name === 'ELECTRON_RUN_AS_NODE' ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(own), PLUMBLINE_HOME: home }
}
