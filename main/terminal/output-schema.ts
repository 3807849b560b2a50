import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { PlumblineError, toFailure } from '../platform/errors'

const JsonSchema = z.record(z.string(), z.unknown())

/** Checks an answer, as JSON, against a schema. Answers what does not fit, or undefined. */
export function checkAgainstSchema(answer: string, schema: z.ZodType): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(withoutFence(answer))
  } catch {
    return 'it is not JSON'
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? undefined : z.prettifyError(parsed.error)
}

/** The JSON Schema in a file. Throws `invalid_arguments` where there is none that can be used. */
export async function loadSchema(file: string): Promise<z.ZodType> {
  try {
    return z.fromJSONSchema(JsonSchema.parse(JSON.parse(await readFile(file, 'utf8'))))
  } catch (failure) {
    const reason = toFailure(failure).message
    throw new PlumblineError('invalid_arguments', `${file} is not a JSON Schema that can be used: ${reason}`)
  }
}

/** Models like to put JSON into a fence. */
function withoutFence(text: string): string {
  const fenced = /^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/.exec(text)
  return fenced?.[1] ?? text
}
