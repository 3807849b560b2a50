import type { TaskContext } from '../platform/worker-tasks'
import { boundedTree, sourceFiles } from './ast-files'
import { languageName, OUTLINE_GRAMMARS } from './ast-languages'
import { type AstReport, emptyAstReport, type OutlineArgs, type OutlineRow } from './ast-types'
import { outlineOf } from './outline-entries'
import { outlineRules } from './outline-rules'
import { registerLanguages } from './register-languages'

/** Outlines files in a worker thread, handing over whole entries (AST-14 to AST-22). */
export function outlineTask(args: OutlineArgs, context: TaskContext<OutlineRow>): AstReport {
  registerLanguages()
  const report = emptyAstReport()
  let bytes = 0
  const interrupted = () => {
    context.step()
    report.cancelled = context.cancelled()
    report.timedOut = Date.now() >= args.deadlineAt
    return report.cancelled || report.timedOut || report.truncated
  }
  const selection = {
    items: args.items,
    view: args.view,
    publicMembers: args.publicMembers,
    ...(args.name === undefined ? {} : { name: new RegExp(args.name.source, args.name.flags) }),
    ...(args.types === undefined ? {} : { types: new Set(args.types) }),
  }
  const accepts = (grammar: string) => OUTLINE_GRAMMARS.has(grammar) && (args.grammars?.includes(grammar) ?? true)
  for (const file of sourceFiles({ target: args.target, limits: args.limits, accepts, interrupted }, report)) {
    const rules = outlineRules(file.grammar)
    const root = rules === undefined ? undefined : boundedTree(file, args.limits, report)
    if (rules === undefined || root === undefined) continue
    for (const item of outlineOf(root, rules, selection)) {
      const row = { path: file.display, language: languageName(file.grammar), item }
      const size = Buffer.byteLength(JSON.stringify(row)) + 1
      if (report.matches >= args.limits.results || bytes + size > args.limits.outputBytes) {
        report.truncated = true
        break
      }
      report.matches += 1
      bytes += size
      context.emit(row)
      if (interrupted()) break
    }
  }
  return report
}
