import type { Writable } from 'node:stream'
import type { Services } from '../services'
import { ExitCode } from './arguments'
import { writeText } from './output'

/** `plumbline doctor`: one line a subject; what is missing comes with what mends it. */
export async function diagnose(services: Services, output: Writable): Promise<number> {
  await writeText(output, `${services.settings.file}\n`)
  return ExitCode.done
}
