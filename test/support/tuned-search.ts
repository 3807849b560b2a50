import type { FindArgs, FindResult } from '../../main/search/find-task'
import type { GrepArgs } from '../../main/search/grep-types'
import { type FindOutcome, type GrepOutcome, SearchEngine, type WalkStyle } from '../../main/search/search-engine'
import type { OutlineArgs } from '../../main/syntax/ast-types'
import { SyntaxEngine } from '../../main/syntax/syntax-engine'
import type { PathScope, ResolvedPath } from '../../main/workspace/path-authority'
import type { WalkOptions } from '../../main/workspace/walker'

/** A search engine whose limits a test can tighten, and which tells what it was asked. */
export class TunedSearch extends SearchEngine {
  walk: Partial<WalkOptions> = {}
  limits: Partial<GrepArgs['limits']> = {}
  /** Milliseconds that a call was given. */
  readonly given: number[] = []
  readonly styles: WalkStyle[] = []
  readonly asked: GrepArgs[] = []
  /** Totals of the snapshots of `find`. */
  readonly snapshots: number[] = []

  override async walkOptions(folder: ResolvedPath, style: WalkStyle, scope: PathScope): Promise<WalkOptions> {
    this.given.push(style.timeoutMs)
    this.styles.push(style)
    return { ...(await super.walkOptions(folder, style, scope)), ...this.walk }
  }

  override grep(args: GrepArgs, signal: AbortSignal): Promise<GrepOutcome> {
    this.asked.push(args)
    const deadlineAt = this.walk.deadlineAt ?? args.deadlineAt
    return super.grep({ ...args, deadlineAt, limits: { ...args.limits, ...this.limits } }, signal)
  }

  override find(args: FindArgs, signal: AbortSignal, onProgress?: (soFar: FindResult) => void): Promise<FindOutcome> {
    return super.find(args, signal, (soFar) => {
      this.snapshots.push(soFar.total)
      onProgress?.(soFar)
    })
  }
}

/** A syntax engine whose time is up at once. */
export class LateSyntax extends SyntaxEngine {
  override search(args: Parameters<SyntaxEngine['search']>[0], signal: AbortSignal) {
    return super.search({ ...args, deadlineAt: Date.now() - 1 }, signal)
  }

  override outline(args: OutlineArgs, signal: AbortSignal): ReturnType<SyntaxEngine['outline']> {
    return super.outline({ ...args, deadlineAt: Date.now() - 1 }, signal)
  }
}
