import type { Matcher, Rule, RuleSet, RuleSource } from './types'

/** Longest rule, in UTF-16 units. */
const MAX_RULE = 4096

/**
 * Reads `TOOL` or `TOOL(MATCHER)` (contracts 1.2). The tool is a name in any toolset, an id such as `file.edit`, or
 * holds `*`; case does not matter. Answers with a message instead of throwing.
 */
export function parseRule(source: RuleSource): { rule: Rule } | { problem: string } {
  const text = source.text.trim()
  if (text.length > MAX_RULE) return { problem: `a rule has at most ${MAX_RULE} characters` }
  const open = text.indexOf('(')
  const tool = (open < 0 ? text : text.slice(0, open)).trim().toLowerCase()
  if (!/^[a-z0-9_.*:-]+$/.test(tool))
    return { problem: 'a rule starts with the name of a tool, as in `bash(npm test)`' }
  if (open < 0) return { rule: { ...source, text, tool, matcher: { kind: 'any' } } }
  if (!text.endsWith(')')) return { problem: 'the parenthesis is not closed' }
  const inside = text.slice(open + 1, -1).trim()
  if (inside === '')
    return { problem: 'there is nothing between the parentheses; leave them out to mean the whole tool' }
  if (/^[!#]/.test(inside)) return { problem: "a pattern can't start with `!` or `#`" }
  return { rule: { ...source, text, tool, matcher: matcherOf(inside) } }
}

/** Sorts rules by kind, in their order, and collects those that can't be read. */
export function buildRules(sources: readonly RuleSource[]): RuleSet {
  const rules: Rule[] = []
  const problems: { rule: RuleSource; message: string }[] = []
  for (const source of sources) {
    const parsed = parseRule(source)
    if ('rule' in parsed) rules.push(parsed.rule)
    else problems.push({ rule: source, message: parsed.problem })
  }
  const of = (kind: Rule['kind']) => rules.filter((rule) => rule.kind === kind)
  return { deny: of('deny'), ask: of('ask'), allow: of('allow'), problems }
}

function matcherOf(inside: string): Matcher {
  const host = /^(?:host|domain):\s*(\S+)$/.exec(inside)?.[1]
  if (host !== undefined) return { kind: 'host', pattern: host.toLowerCase() }
  const [, kind, pattern] = /^(agent|model):\s*(\S+)$/.exec(inside) ?? []
  if ((kind === 'agent' || kind === 'model') && pattern !== undefined) return { kind, pattern }
  return { kind: 'text', text: inside }
}
