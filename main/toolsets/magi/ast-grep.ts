import { z } from 'zod'
import { PlumblineError } from '../../platform/errors'
import { compilePattern } from '../../search/regex-dialect'
import type { SearchEngine } from '../../search/search-engine'
import { displayPrefix } from '../../search/search-targets'
import { grammarOf, grammarsNamed, LANGUAGE_NAMES, OUTLINE_GRAMMARS } from '../../syntax/ast-languages'
import { type AstLimits, type AstReport, type AstTarget, isPartial } from '../../syntax/ast-types'
import type { SyntaxEngine } from '../../syntax/syntax-engine'
import { type PathAuthority, type PathScope, type ResolvedPath, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool, type ToolResult } from '../define'

const DEADLINE_MS = 30_000
const MAX_RESULTS = 500
const DEFAULT_RESULTS = 100
const MAX_TEXT_BYTES = 4 * 1024
const MAX_FILTER_BYTES = 512

const LIMITS: Omit<AstLimits, 'results'> = {
  fileBytes: 256 * 1024,
  files: 10_000,
  totalBytes: 128 * 1024 * 1024,
  nodes: 16_384,
  depth: 64,
  outputBytes: 64 * 1024,
}

const SEARCH_FIELDS = ['pattern', 'rewrite'] as const
const OUTLINE_FIELDS = ['items', 'view', 'name', 'symbol_type', 'pub_members'] as const

const upTo = (bytes: number) =>
  z.string().refine((text) => Buffer.byteLength(text) <= bytes, `must have at most ${bytes} bytes of UTF-8`)

const Args = z
  .strictObject({
    operation: z.enum(['search', 'outline']).default('search'),
    pattern: upTo(MAX_TEXT_BYTES).nullish(),
    rewrite: upTo(MAX_TEXT_BYTES).nullish(),
    path: z.string().min(1).nullish(),
    language: z.string().min(1).nullish(),
    limit: z.number().int().min(1).nullish(),
    items: z.enum(['structure', 'exports', 'imports', 'all']).nullish(),
    view: z.enum(['names', 'signatures', 'digest', 'expanded']).nullish(),
    name: upTo(MAX_FILTER_BYTES).nullish(),
    symbol_type: upTo(MAX_FILTER_BYTES).nullish(),
    pub_members: z.boolean().nullish(),
  })
  .superRefine((args, context) => {
    const foreign = (args.operation === 'outline' ? SEARCH_FIELDS : OUTLINE_FIELDS).filter(
      (field) => args[field] != null,
    )
    if (foreign.length > 0) {
      const example = Object.fromEntries([['operation', args.operation], ...foreign.map((field) => [field, null])])
      context.addIssue({
        code: 'custom',
        message: `${foreign.join(', ')} can't be used with ${args.operation}; omit or set to null: ${JSON.stringify(example)}`,
      })
    }
    if (args.operation === 'search' && (args.pattern ?? '').trim() === '') {
      context.addIssue({ code: 'custom', path: ['pattern'], message: 'search needs a nonempty pattern' })
    }
  })

type Parsed = z.output<typeof Args>

export interface AstGrepEngines {
  syntax: SyntaxEngine
  search: SearchEngine
  paths: PathAuthority
}

/** AST rows of the magi contract: search, read-only rewrite previews and outlines; the default toolset has it too. */
export function astGrepTool(
  engines: AstGrepEngines,
  options: { relativeMayEscape: boolean } = { relativeMayEscape: false },
): RegisteredTool {
  const resolve = (args: Parsed, call: CallContext) => engines.paths.resolve(args.path ?? '.', call.session, options)
  return defineTool({
    name: 'ast_grep',
    title: 'Syntax',
    description:
      'Searches syntax trees, previews rewrites without writing, or outlines symbols. Search: `pattern` with `$NAME` for one node ' +
      'and `$$$NAME` for several, optional `rewrite`. Outline: `items`, `view`, `name`, `symbol_type`, `pub_members`. ' +
      'Example: {"operation": "outline", "path": "src", "language": "rust", "limit": 30}',
    args: Args,
    approval: 'never',
    subject: (args) => (args.operation === 'outline' ? `outline ${args.path ?? '.'}` : (args.pattern ?? '')),
    targets: async (args, call) => [touch('read', await resolve(args, call))],
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const resolved = await resolve(args, call)
      const target = await targetOf(engines.search, resolved, call.session)
      const grammars = grammarsOf(args, resolved)
      const limits = { ...LIMITS, results: Math.min(args.limit ?? DEFAULT_RESULTS, MAX_RESULTS) }
      const common = {
        target,
        limits,
        deadlineAt: Date.now() + DEADLINE_MS,
        ...(grammars === undefined ? {} : { grammars }),
      }
      return args.operation === 'outline' ? outline(engines, args, common, call) : search(engines, args, common, call)
    },
  })
}

type Common = { target: AstTarget; limits: AstLimits; deadlineAt: number; grammars?: readonly string[] }

async function search(engines: AstGrepEngines, args: Parsed, common: Common, call: CallContext): Promise<ToolResult> {
  const rewrite = args.rewrite == null ? {} : { rewrite: args.rewrite }
  const { rows, report } = await engines.syntax.search(
    { ...common, pattern: args.pattern ?? '', ...rewrite },
    call.signal,
  )
  const metadata = { matches: report.matches, ...metadataOf(report) }
  return {
    content: [{ type: 'text', text: [...rows.map((row) => row.text), summary(metadata)].join('\n') }],
    details: { operation: 'search', rows, ...metadata },
  }
}

async function outline(engines: AstGrepEngines, args: Parsed, common: Common, call: CallContext): Promise<ToolResult> {
  const name = args.name == null || args.name === '' ? undefined : compilePattern(args.name, false)
  const flags = name === undefined ? '' : `${name.ignoreCase ? 'i' : ''}${name.unicode ? 'u' : ''}`
  const types = args.symbol_type
    ?.split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
  const { rows, report } = await engines.syntax.outline(
    {
      ...common,
      items: args.items ?? 'structure',
      view: args.view ?? 'digest',
      publicMembers: args.pub_members ?? false,
      ...(name === undefined ? {} : { name: { source: name.source, flags } }),
      ...(types === undefined || types.length === 0 ? {} : { types }),
    },
    call.signal,
  )
  const metadata = { symbols_returned: rows.length, ...metadataOf(report) }
  return {
    content: [{ type: 'text', text: [...rows.map((row) => JSON.stringify(row)), summary(metadata)].join('\n') }],
    details: { operation: 'outline', rows, ...metadata },
    ...(report.timedOut
      ? { failure: { code: 'timeout', message: 'The outline reached its time limit; what is shown is not complete.' } }
      : {}),
  }
}

async function targetOf(search: SearchEngine, resolved: ResolvedPath, scope: PathScope): Promise<AstTarget> {
  if (resolved.kind === 'missing') throw new PlumblineError('not_found', `${resolved.display} does not exist.`)
  if (resolved.kind === 'other') throw new PlumblineError('not_a_file', `${resolved.display} is not a regular file.`)
  if (resolved.kind === 'file') return { kind: 'file', absolute: resolved.real, display: resolved.display }
  const walk = await search.walkOptions(
    resolved,
    {
      hidden: false,
      ignoreFiles: true,
      outsideGit: true,
      prune: ['.git', 'node_modules', 'target'],
      maxEntries: 1_000_000,
      timeoutMs: DEADLINE_MS,
    },
    scope,
  )
  return { kind: 'folder', walk, prefix: displayPrefix(resolved) }
}

/** The grammars asked for; refuses a language that is unknown, or that a file given by name does not have. */
function grammarsOf(args: Parsed, resolved: ResolvedPath): readonly string[] | undefined {
  const own = resolved.kind === 'file' ? grammarOf(resolved.real) : undefined
  if (resolved.kind === 'file' && own === undefined) {
    throw new PlumblineError('not_supported', `The language of ${resolved.display} is not known from its name.`)
  }
  if (args.language == null) {
    if (args.operation === 'outline' && own !== undefined && !OUTLINE_GRAMMARS.has(own)) {
      throw new PlumblineError('not_supported', `There is no outline for the language of ${resolved.display}.`)
    }
    return undefined
  }
  const grammars = grammarsNamed(args.language)
  if (grammars === undefined) {
    throw new PlumblineError(
      'invalid_arguments',
      `Unknown language ${args.language}. Known: ${LANGUAGE_NAMES.join(', ')}.`,
    )
  }
  if (own !== undefined && !grammars.includes(own)) {
    throw new PlumblineError(
      'invalid_arguments',
      `${resolved.display} is not ${args.language}. Leave out language for this file.`,
    )
  }
  return grammars
}

function metadataOf(report: AstReport) {
  return {
    files_scanned: report.filesScanned,
    files_skipped: report.filesSkipped,
    partial: isPartial(report),
    truncated: report.truncated,
    ...(report.uncompiled.length === 0 ? {} : { pattern_not_compiled_for: report.uncompiled }),
    ...(report.timedOut ? { timed_out: true } : {}),
    ...(report.limitReached ? { scan_limit_reached: true } : {}),
  }
}

function summary(metadata: Record<string, unknown>): string {
  const fields = Object.entries(metadata).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : String(value)}`,
  )
  return `[${fields.join(', ')}]`
}
