import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { PlumblineError } from '../platform/errors'

const JsonSchema = z.record(z.string(), z.unknown())

/** Checks an answer, as JSON, against the JSON Schema in `file`. Answers what does not fit, or undefined. */
export async function checkAgainstSchema(answer: string, file: string): Promise<string | undefined> {
  const schema = await loadSchema(file)
  let value: unknown
  try {
    value = JSON.parse(withoutFence(answer))
  } catch {
    return 'it is not JSON'
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? undefined : z.prettifyError(parsed.error)
}

async function loadSchema(file: string): Promise<z.ZodType> {
  try {
    return z.fromJSONSchema(JsonSchema.parse(JSON.parse(await readFile(file, 'utf8'))))
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw new PlumblineError('invalid_arguments', `${file} is not a JSON Schema that can be used: ${reason}`)
  }
}

/** Models like to put JSON into a fence. */
function withoutFence(text: string): string {
  const fenced = /^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/.exec(text)
  return fenced?.[1] ?? text
}
