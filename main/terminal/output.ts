import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Writes one JSON line and waits where the reader is slow. A reader that went away is no error here. */
export async function writeLine(output: Writable, value: unknown): Promise<void> {
  await writeText(output, `${JSON.stringify(value)}\n`)
}

export async function writeText(output: Writable, text: string): Promise<void> {
  if (output.destroyed || output.writableEnded || output.errored !== null) return
  if (output.write(text)) return
  // A reader that goes away while it is waited for: `end` of the stream is told by whoever watches it.
  await Promise.race([once(output, 'drain'), once(output, 'close')]).catch(() => undefined)
}

/** Calls `gone` once the reader of `output` went away: a closed pipe is the end of the work, not an error of it. */
export function whenReaderGoes(output: Writable, gone: () => void): void {
  output.on('error', gone)
}
