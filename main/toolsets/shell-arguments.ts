import { z } from 'zod'

/** Most characters of a command: what is looked into before it is run; systems take about 128 KiB as one argument. */
const MAX_COMMAND = 64 * 1024

export const commandArgument = z
  .string()
  .max(MAX_COMMAND)
  .refine((command) => command.trim() !== '', 'must not be blank')
  .refine((command) => !command.includes('\0'), 'must not contain a NUL character')

export const environmentArgument = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not the name of a variable'),
  z.string().refine((value) => !value.includes('\0'), 'must not contain a NUL character'),
)

/** Seconds, finite, greater than zero, at most 3,600 (SHELL-05). */
export const secondsArgument = z
  .number()
  .refine(
    (seconds) => Number.isFinite(seconds) && seconds > 0 && seconds <= 3600,
    'must be greater than 0 and at most 3600',
  )

/** Fractions round down, with a floor of one second; milliseconds (SHELL-05). */
export function wholeSecondsMs(seconds: number): number {
  return Math.max(1, Math.floor(seconds)) * 1000
}
