import type { CallRequest } from './calls'
import type { BoundCall, RegisteredTool } from './define'
import { MAX_NESTING, nestsDeeperThan } from './nesting'

/** Characters of broken arguments that are given back to the model. */
const ECHO_CHARACTERS = 8_000

/**
 * Turns what the model sent into a bound call, or says why it can't be. Broken or cut-off JSON is never repaired and
 * never executed: the model gets its own text back and may try again (PERM-20).
 */
export function parseArguments(
  tool: RegisteredTool,
  request: CallRequest,
): { ok: true; bound: BoundCall } | { ok: false; message: string } {
  if (request.cutOff) return { ok: false, message: brokenMessage(request, 'were cut off before they were complete') }
  const value = 'value' in request.args ? { json: request.args.value } : parseJson(request.args.text)
  if ('problem' in value) return { ok: false, message: brokenMessage(request, `are not valid JSON (${value.problem})`) }
  if (nestsDeeperThan(value.json, MAX_NESTING))
    return { ok: false, message: brokenMessage(request, `are nested deeper than ${MAX_NESTING} levels`) }
  const bound = tool.bind(value.json)
  return bound.ok ? { ok: true, bound: bound.call } : { ok: false, message: bound.message }
}

function parseJson(text: string): { json: unknown } | { problem: string } {
  // Models send nothing at all for a tool without arguments.
  if (text.trim() === '') return { json: {} }
  try {
    return { json: JSON.parse(text) }
  } catch (failure) {
    return { problem: failure instanceof Error ? failure.message : 'unreadable' }
  }
}

function brokenMessage(request: CallRequest, what: string): string {
  const original = 'text' in request.args ? request.args.text : JSON.stringify(request.args.value)
  const shown =
    original.length > ECHO_CHARACTERS
      ? `${original.slice(0, ECHO_CHARACTERS)}\n[${original.length - ECHO_CHARACTERS} more characters]`
      : original
  return `The arguments of ${request.tool} ${what}. Nothing was executed. Send the call again with complete, valid JSON. Original arguments:\n${shown}`
}
