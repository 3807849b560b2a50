import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Writes one JSON line and waits where the reader is slow. A reader that went away is no error here. */
export async function writeLine(output: Writable, value: unknown): Promise<void> {
  await writeText(output, `${JSON.stringify(value)}\n`)
}

export async function writeText(output: Writable, text: string): Promise<void> {
  if (output.destroyed || output.writableEnded) return
  if (!output.write(text)) await Promise.race([once(output, 'drain'), once(output, 'close')])
}
