import type { ApprovalLevel, Touch } from '../../preload/contract/effects'
import type { PermissionMode, SandboxTier, ToolsetName } from '../../preload/contract/ids'

/** Where a rule stands. Sources add up; none takes a deny of another away. */
export type RuleOrigin = 'managed' | 'command-line' | 'project' | 'user' | 'session'

/** A rule as settings give it. */
export interface RuleSource {
  readonly kind: 'allow' | 'ask' | 'deny'
  readonly text: string
  readonly source: RuleOrigin
  readonly file?: string
}

export type Matcher =
  | { readonly kind: 'any' }
  /** A command pattern, or a path pattern where the tool is about files: which one the tool decides. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'host'; readonly pattern: string }
  | { readonly kind: 'agent' | 'model'; readonly pattern: string }

export interface Rule extends RuleSource {
  /** The part before the parenthesis, in lower case; may hold `*`. */
  readonly tool: string
  readonly matcher: Matcher
}

/** The rules that count now, and those that could not be read. A rule that can't be read is never taken for granted. */
export interface RuleSet {
  readonly deny: readonly Rule[]
  readonly ask: readonly Rule[]
  readonly allow: readonly Rule[]
  readonly problems: readonly { readonly rule: RuleSource; readonly message: string }[]
}

/** What a tool does, whatever its name in a toolset. */
export type CanonicalKind = 'read' | 'edit' | 'shell' | 'network' | 'other'

/** A call as rules see it. */
export interface RuleCall {
  readonly toolset: ToolsetName
  readonly tool: string
  /** The tool's id in all toolsets, such as `file.edit`; `canonicalOf` knows it. */
  readonly canonical: string
  readonly args: unknown
  readonly touches: readonly Touch[]
  /** Of shell tools: what would be run. */
  readonly commandLine?: string | undefined
  /** Absolute real paths: the folders that relative path patterns start from. */
  readonly roots: readonly string[]
  readonly home: string
}

/** The first matching rule of each kind. Deny goes before ask before allow; that order is the pipeline's. */
export interface Judgement {
  readonly deny?: Rule
  readonly ask?: Rule
  readonly allow?: Rule
}

/** What a mode needs to know of a call. */
export interface ModeCall {
  readonly toolset: ToolsetName
  readonly tool: string
  readonly canonicalKind: CanonicalKind
  readonly touches: readonly Touch[]
  readonly roots: readonly string[]
  readonly attended: boolean
  readonly tier: SandboxTier
  readonly commandLine?: string | undefined
  /** The tier is `guarded` and this machine can't enforce it. */
  readonly unsandboxed?: boolean
}

export type ModeVerdict = 'go' | 'ask' | { readonly refuse: string }

export type { ApprovalLevel, PermissionMode, Touch }
