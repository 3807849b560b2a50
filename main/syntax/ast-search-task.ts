import { pattern as compilePattern, type NapiConfig, parse, type SgNode } from '@ast-grep/napi'
import { PlumblineError } from '../platform/errors'
import type { TaskContext } from '../platform/worker-tasks'
import { isWithin, type SourceFile, sourceFiles } from './ast-files'
import { languageName, metaCharacter } from './ast-languages'
import { type AstReport, type AstRow, type AstSearchArgs, emptyAstReport } from './ast-types'
import { registerLanguages } from './register-languages'
import { expandRewrite, previewRewrite } from './rewrite-preview'

/** Nodes of a pattern at most (AST-05). */
const MAX_PATTERN_NODES = 256

/** Searches syntax trees in a worker thread, handing over lines as they are found (AST-01 to AST-13). */
export function astSearchTask(args: AstSearchArgs, context: TaskContext<AstRow>): AstReport {
  registerLanguages()
  const report = emptyAstReport()
  const patterns = new Map<string, NapiConfig | undefined>()
  const output = new RowBudget(args, report, context)
  const words = requiredWords(args.pattern)
  const interrupted = () => {
    context.step()
    report.cancelled = context.cancelled()
    report.timedOut = Date.now() >= args.deadlineAt
    return report.cancelled || report.timedOut || report.truncated
  }
  const accepts = (grammar: string) => args.grammars === undefined || args.grammars.includes(grammar)
  for (const file of sourceFiles({ target: args.target, limits: args.limits, accepts, interrupted }, report)) {
    const pattern = patternFor(file.grammar, args, patterns, report)
    if (pattern === undefined || words.some((word) => !file.text.includes(word))) continue
    const matches = boundedMatches(file, pattern, args, report)
    const lines = matches.length === 0 ? [] : file.text.split('\n')
    for (const match of matches) {
      report.matches += 1
      if (!output.add(file, lines, match, args.rewrite)) break
      if (interrupted()) break
    }
  }
  return report
}

/**
 * The matches in one file; none, and the file counted as skipped, when its tree is too large. Measuring a tree costs more
 * than searching it, so a short file in which nothing matches is not measured: it was looked at to its end.
 */
function boundedMatches(file: SourceFile, pattern: NapiConfig, args: AstSearchArgs, report: AstReport): SgNode[] {
  const root = parse(file.grammar, file.text).root()
  const matches = root.findAll(pattern)
  if (matches.length === 0 && file.text.length < args.limits.nodes) return matches
  if (isWithin(root, args.limits)) return matches
  report.filesSkipped += 1
  return []
}

/** The pattern for a grammar, compiled once. One that does not fit is remembered as such, or refused where it was asked for. */
function patternFor(
  grammar: string,
  args: AstSearchArgs,
  known: Map<string, NapiConfig | undefined>,
  report: AstReport,
): NapiConfig | undefined {
  if (known.has(grammar)) return known.get(grammar)
  const compiled = compile(grammar, args.pattern)
  known.set(grammar, typeof compiled === 'string' ? undefined : compiled)
  if (typeof compiled !== 'string') return compiled
  const others = args.grammars?.filter((other) => other !== grammar) ?? []
  const strict =
    args.target.kind === 'file' ||
    (args.grammars !== undefined && others.every((other) => typeof compile(other, args.pattern) === 'string'))
  if (strict)
    throw new PlumblineError('invalid_arguments', `The pattern does not fit ${languageName(grammar)}: ${compiled}`)
  report.uncompiled.push(languageName(grammar))
  return undefined
}

function compile(grammar: string, pattern: string): NapiConfig | string {
  const tree = parse(grammar, pattern.replaceAll('$', metaCharacter(grammar))).root()
  if (tree.kind() === 'ERROR' || tree.children().some((child) => child.kind() === 'ERROR')) {
    return 'it is no complete piece of code in that language.'
  }
  if (!isWithin(tree, { nodes: MAX_PATTERN_NODES, depth: Number.POSITIVE_INFINITY })) {
    throw new PlumblineError('limit_exceeded', `The pattern has more than ${MAX_PATTERN_NODES} nodes.`)
  }
  try {
    const compiled = compilePattern(grammar, pattern)
    parse(grammar, '').root().find(compiled)
    return compiled
  } catch (failure) {
    const message = failure instanceof Error ? failure.message : String(failure)
    return (
      message
        .split('\n')
        .at(-1)
        ?.replace(/^[\s|>-]+/, '') ?? message
    )
  }
}

/** Words that stand in every match, so that most files need no tree. */
function requiredWords(pattern: string): string[] {
  return [...pattern.matchAll(/(?<![\w$])[A-Za-z_]\w+/g)].map((match) => match[0])
}

/** Hands over lines until a limit is reached; the last preview may be cut short (AST-04). */
class RowBudget {
  readonly #args: AstSearchArgs
  readonly #report: AstReport
  readonly #context: TaskContext<AstRow>
  readonly #printed = new Set<string>()
  #lines = 0
  #bytes = 0

  constructor(args: AstSearchArgs, report: AstReport, context: TaskContext<AstRow>) {
    this.#args = args
    this.#report = report
    this.#context = context
  }

  add(file: SourceFile, lines: readonly string[], match: SgNode, rewrite: string | undefined): boolean {
    const { start, end } = match.range()
    if (rewrite !== undefined) {
      const replacement = expandRewrite(match, rewrite, file.text)
      if (replacement === undefined) {
        this.#report.filesSkipped += 1
        return true
      }
      const preview = previewRewrite(file, lines, { start, end }, replacement)
      return preview.every((text) => this.#print({ path: file.display, line: start.line + 1, text }))
    }
    for (let line = start.line; line <= end.line; line += 1) {
      if (line > start.line && line === end.line && end.column === 0) break
      const source = (lines[line] ?? '').replace(/\r$/, '')
      const key = `${file.display}:${line}`
      if (this.#printed.has(key)) continue
      this.#printed.add(key)
      if (!this.#print({ path: file.display, line: line + 1, text: `${file.display}:${line + 1}:${source}` }))
        return false
    }
    return true
  }

  #print(row: AstRow): boolean {
    const size = Buffer.byteLength(row.text) + 1
    if (this.#lines >= this.#args.limits.results || this.#bytes + size > this.#args.limits.outputBytes) {
      this.#report.truncated = true
      return false
    }
    this.#lines += 1
    this.#bytes += size
    this.#context.emit(row)
    return true
  }
}
