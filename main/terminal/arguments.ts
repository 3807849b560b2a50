import { parseArgs } from 'node:util'
import { ModelRef, PermissionMode, SandboxTier, SessionId, ToolsetName } from '../../preload/contract/ids'
import { PlumblineError } from '../platform/errors'

/** Exit codes of the terminal program. */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  budget: 4,
  schema: 5,
  interrupted: 130,
} as const

export interface CommonArguments {
  cwd: string | undefined
  /** The file tools reach the folder and the added ones only (`-C`, `--add-dir`). */
  narrowed: boolean
  addedFolders: string[]
  toolset: ToolsetName | undefined
  mode: PermissionMode | undefined
  sandbox: SandboxTier | undefined
  trust: boolean
  settings: string | undefined
}

export interface ToolsArguments extends CommonArguments {
  list: boolean
}

export interface RunArguments extends CommonArguments {
  prompt: string | undefined
  images: string[]
  model: ModelRef | undefined
  output: 'text' | 'json' | 'stream-json'
  continue: boolean
  session: SessionId | undefined
  maxTurns: number | undefined
  outputSchema: string | undefined
}

const common = {
  cwd: { type: 'string' },
  // `-C DIR`: the folder, and nothing beyond it.
  'only-in': { type: 'string', short: 'C' },
  'add-dir': { type: 'string', multiple: true },
  toolset: { type: 'string' },
  mode: { type: 'string' },
  sandbox: { type: 'string' },
  trust: { type: 'boolean' },
  settings: { type: 'string' },
} as const

/** Arguments of `plumbline tools`. Throws `invalid_arguments`: exit code 2. */
export function parseToolsArguments(args: readonly string[]): ToolsArguments {
  const values = parse(args, { ...common, list: { type: 'boolean' } } as const)
  return { ...commonOf(values), list: values.list === true }
}

/** Arguments of `plumbline run`. Throws `invalid_arguments`: exit code 2. */
export function parseRunArguments(args: readonly string[]): RunArguments {
  const values = parse(args, {
    ...common,
    prompt: { type: 'string', short: 'p' },
    image: { type: 'string', multiple: true },
    model: { type: 'string' },
    output: { type: 'string' },
    continue: { type: 'boolean' },
    session: { type: 'string' },
    'max-turns': { type: 'string' },
    'output-schema': { type: 'string' },
  } as const)
  if (values.continue && values.session !== undefined) usage('--continue and --session exclude each other.')
  return {
    ...commonOf(values),
    prompt: values.prompt,
    images: values.image ?? [],
    model: choice('--model', values.model, ModelRef, 'PROVIDER:MODEL'),
    output: outputOf(values.output),
    continue: values.continue === true,
    session: choice('--session', values.session, SessionId, 'a session id such as s_…'),
    maxTurns: positiveOf('--max-turns', values['max-turns']),
    outputSchema: values['output-schema'],
  }
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

function parse<Shape extends Options>(args: readonly string[], options: Shape) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (failure) {
    return usage(failure instanceof Error ? failure.message : String(failure))
  }
}

function commonOf(values: {
  cwd?: string
  'only-in'?: string
  'add-dir'?: string[]
  toolset?: string
  mode?: string
  sandbox?: string
  trust?: boolean
  settings?: string
}): CommonArguments {
  if (values.cwd !== undefined && values['only-in'] !== undefined) usage('-C and --cwd exclude each other.')
  return {
    cwd: values['only-in'] ?? values.cwd,
    narrowed: values['only-in'] !== undefined || values['add-dir'] !== undefined,
    addedFolders: values['add-dir'] ?? [],
    toolset: choice('--toolset', values.toolset, ToolsetName, ToolsetName.options.join(', ')),
    mode: choice('--mode', values.mode, PermissionMode, PermissionMode.options.join(', ')),
    sandbox: choice('--sandbox', values.sandbox, SandboxTier, SandboxTier.options.join(', ')),
    trust: values.trust === true,
    settings: values.settings,
  }
}

interface Parser<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false }
}

function choice<Value>(
  option: string,
  value: string | undefined,
  schema: Parser<Value>,
  allowed: string,
): Value | undefined {
  if (value === undefined) return undefined
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : usage(`${option} ${value} is not known. Allowed: ${allowed}.`)
}

function outputOf(value: string | undefined): RunArguments['output'] {
  if (value === undefined || value === 'text') return 'text'
  if (value === 'json' || value === 'stream-json') return value
  return usage(`--output ${value} is not known. Allowed: text, json, stream-json.`)
}

function positiveOf(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0
    ? number
    : usage(`${option} needs a whole number above 0, not ${value}.`)
}

function usage(message: string): never {
  throw new PlumblineError('invalid_arguments', message)
}
