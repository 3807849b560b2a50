import type { Touch } from '../../preload/contract/effects'
import { anyPartMatches, everyPartMatches } from './match-command'
import { matchesPath } from './match-path'
import type { Judgement, Rule, RuleCall, RuleSet } from './types'

export { buildRules, parseRule } from './rule-text'

/** Names under which a rule about paths means every tool that does it: what is forbidden once is forbidden (S34). */
const FAMILIES: Readonly<Record<string, readonly Touch['kind'][]>> = {
  read: ['read'],
  edit: ['write', 'delete'],
  write: ['write', 'delete'],
}

/**
 * The first deny, ask and allow rule that a call meets (contracts 1.2, 1.3; PERM-09). Deny and ask need any part of a
 * command line or any path, allow needs every one. Pure.
 */
export function judgeRules(rules: RuleSet, call: RuleCall): Judgement {
  const deny = rules.deny.find((rule) => forbids(rule, call))
  const ask = rules.ask.find((rule) => forbids(rule, call))
  const allow = allowing(rules.allow, call)
  return { ...(deny && { deny }), ...(ask && { ask }), ...(allow && { allow }) }
}

function forbids(rule: Rule, call: RuleCall): boolean {
  const named = namesTool(rule.tool, call)
  const { matcher } = rule
  if (matcher.kind === 'any') return named
  if (matcher.kind === 'host') return named && hosts(call).some((host) => matchesHost(matcher.pattern, host))
  if (matcher.kind !== 'text') return false
  if (call.commandLine !== undefined && named) return anyPartMatches(call.commandLine, matcher.text)
  const family = FAMILIES[rule.tool]
  const touches = call.touches.filter((touch) => isPath(touch) && (named || family?.includes(touch.kind) === true))
  return touches.some((touch) => spelled(touch).some((spelling) => matchesPath(matcher.text, spelling, call)))
}

/** A line of several commands may need several rules; the first that takes part is named. */
function allowing(rules: readonly Rule[], call: RuleCall): Rule | undefined {
  const named = rules.filter((rule) => namesTool(rule.tool, call))
  const whole = named.find((rule) => allows(rule, call))
  if (whole !== undefined || call.commandLine === undefined) return whole
  const patterns = named.flatMap((rule) => (rule.matcher.kind === 'text' ? [rule.matcher.text] : []))
  return everyPartMatches(call.commandLine, patterns) ? named.find((rule) => rule.matcher.kind === 'text') : undefined
}

function allows(rule: Rule, call: RuleCall): boolean {
  const { matcher } = rule
  if (matcher.kind === 'any') return true
  if (matcher.kind === 'host') {
    const all = hosts(call)
    return all.length > 0 && all.every((host) => matchesHost(matcher.pattern, host))
  }
  if (matcher.kind !== 'text') return false
  if (call.commandLine !== undefined) return everyPartMatches(call.commandLine, [matcher.text])
  const touches = call.touches.filter(isPath)
  return (
    touches.length > 0 &&
    touches.every((touch) => spelled(touch).every((spelling) => matchesPath(matcher.text, spelling, call)))
  )
}

function namesTool(pattern: string, call: RuleCall): boolean {
  const names = [call.tool.toLowerCase(), call.canonical]
  // The names of the shell tool are one tool (PERM-34).
  if (call.canonical === 'shell.run') names.push('bash', 'shell', 'cmd')
  if (!pattern.includes('*')) return names.includes(pattern)
  const expression = new RegExp(
    `^${pattern
      .split('*')
      .map((piece) => piece.replaceAll('.', '\\.'))
      .join('.*')}$`,
  )
  return names.some((name) => expression.test(name))
}

function isPath(touch: Touch): boolean {
  return touch.kind === 'read' || touch.kind === 'write' || touch.kind === 'delete'
}

function spelled(touch: Touch): string[] {
  return touch.given === undefined ? [touch.target] : [touch.target, touch.given]
}

function hosts(call: RuleCall): string[] {
  return call.touches.flatMap((touch) =>
    touch.kind === 'host' ? [touch.target.toLowerCase().replace(/:\d+$/, '')] : [],
  )
}

/** `*.example.com` covers subdomains, not the name itself; `*` covers all. */
export function matchesHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  if (pattern.startsWith('*.')) return host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
  return host === pattern
}
