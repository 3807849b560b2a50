import { type IgnoreRule, parseIgnoreRules } from './ignore-pattern'
import { isInside, type PathRules, slashed } from './path-rules'

/** A pattern of a rule that denies reading, with the absolute folder that it starts from. Plain data. */
export interface DeniedPaths {
  readonly base: string
  /** Gitignore-style. */
  readonly pattern: string
}

interface Denied {
  /** Leads from the base to the root of the walk, with `/` at the end; empty when they are the same. */
  readonly lead: string
  /** Of the base below the root, with `/` at the end; empty when the base is the root or above it. */
  readonly prefix: string
  readonly rule: IgnoreRule
}

/** Tells which entries of one walk a rule covers (S34). What lies below a covered folder is never reached. */
export class DeniedRules {
  readonly #denied: readonly Denied[]

  constructor(root: string, denied: readonly DeniedPaths[], rules: PathRules) {
    this.#denied = denied.flatMap(({ base, pattern }) => {
      const above = isInside(root, base, rules)
      if (!above && !isInside(base, root, rules)) return []
      const between = slashed(above ? rules.path.relative(base, root) : rules.path.relative(root, base), rules)
      const step = between === '' ? '' : `${between}/`
      const parsed = parseIgnoreRules(pattern, rules.ignoresCase).filter((rule) => !rule.negated)
      return parsed.map((rule) => ({ lead: above ? step : '', prefix: above ? '' : step, rule }))
    })
  }

  covers(relative: string, name: string): boolean {
    return this.#denied.some(({ lead, prefix, rule }) => {
      if (!relative.startsWith(prefix)) return false
      return rule.matches(rule.byName ? name : lead + relative.slice(prefix.length))
    })
  }
}
