import { PlumblineError } from '../platform/errors'
import type { BlockResolver, BlockTree } from '../syntax/block-resolver'
import { type AppliedHunks, applyHunks, type RepairPolicy } from './apply-section'
import { type ConcreteHunk, checkBounds, checkOverlap } from './concrete-hunk'
import { refusals, unseenRefusal, warnings, withContext } from './edit-messages'
import { expandBlocks, isBlockOp } from './expand-blocks'
import type { Hunk, Section } from './patch'
import { messages } from './patch-messages'
import { translateThroughDrift, translateThroughEdits } from './recovery'
import { digestOf, type Snapshot, type SnapshotStore } from './snapshots'
import { splitLines, type TextFile } from './text-file'

/** A file as it is on disk, with the names that messages use. */
export interface LiveFile {
  /** Canonical path. */
  readonly real: string
  /** As answers show it. */
  readonly display: string
  readonly file: TextFile
}

export interface SectionRules {
  readonly seenGuard: boolean
  readonly repairs: RepairPolicy
  /** Says when an insert repeats its anchor line. */
  readonly anchorEcho: boolean
}

/** More digits than a tag has, unless it was given out so to tell two texts apart. */
const isNoTag = (tag: string): boolean => tag.length > 4

/** What a section makes of its file. */
export interface SectionPlan extends AppliedHunks {
  readonly echoes: readonly string[]
  /** The text that the tag named, whose seen lines carry over. */
  readonly snapshot: Snapshot
}

/**
 * Finds out what one section does to the live text: directly where it is the text that the tag names, else through the
 * ladder of proofs (A11). Throws `unknown_tag`, `stale_tag` or `edit_rejected`; refusals record what they print.
 */
export class SectionPlanner {
  readonly #store: SnapshotStore
  readonly #blocks: BlockResolver | undefined
  readonly #rules: SectionRules

  constructor(store: SnapshotStore, blocks: BlockResolver | undefined, rules: SectionRules) {
    this.#store = store
    this.#blocks = blocks
    this.#rules = rules
  }

  async plan(section: Section, live: LiveFile): Promise<SectionPlan> {
    const candidates = this.#store.byTag(live.real, section.tag)
    const exact = candidates.find((candidate) => candidate.text === live.file.text)
    if (exact !== undefined) return this.#direct(section, live, exact)
    const [newest] = candidates
    if (newest === undefined && isNoTag(section.tag) && !this.#store.wasIssued(live.real, section.tag)) {
      throw new PlumblineError('invalid_arguments', messages.malformedHeader(`[${section.path}#${section.tag}]`))
    }
    if (newest === undefined) throw this.#mismatch('unknown_tag', section, live)
    if (section.move !== undefined || section.remove !== undefined) throw this.#mismatch('stale_tag', section, live)
    return this.#recover(section, live, newest)
  }

  async #direct(section: Section, live: LiveFile, snapshot: Snapshot): Promise<SectionPlan> {
    const { lines } = live.file
    checkBounds(section.hunks, lines.length)
    if (this.#rules.seenGuard) this.#guardUnseen(section.hunks, live, snapshot)
    const tree = section.hunks.some(isBlockOp) ? await this.#blocks?.open(live.real, live.file.text) : undefined
    const expanded = expandBlocks(section.hunks, lines, tree)
    const applied = await this.#apply(live, expanded.hunks)
    return {
      ...applied,
      warnings: [...section.warnings, ...expanded.warnings, ...applied.warnings, ...this.#anchorEchoes(section, lines)],
      echoes: expanded.echoes,
      snapshot,
    }
  }

  async #recover(section: Section, live: LiveFile, snapshot: Snapshot): Promise<SectionPlan> {
    const before = splitLines(snapshot.text)
    checkBounds(section.hunks, before.length)
    const tree = section.hunks.some(isBlockOp) ? await this.#blocks?.open(live.real, snapshot.text) : undefined
    const expanded = expandBlocks(section.hunks, before, tree)
    checkOverlap(expanded.hunks)
    const recovered = this.#translate(expanded.hunks, live, snapshot, before)
    if (recovered === undefined) throw this.#mismatch('stale_tag', section, live)
    const applied = await this.#apply(live, recovered.hunks)
    if (applied.file.text === live.file.text) throw this.#mismatch('stale_tag', section, live)
    return {
      ...applied,
      warnings: [...section.warnings, recovered.warning, ...expanded.warnings, ...applied.warnings],
      echoes: [],
      snapshot,
    }
  }

  #translate(
    hunks: readonly ConcreteHunk[],
    live: LiveFile,
    snapshot: Snapshot,
    before: readonly string[],
  ): { hunks: readonly ConcreteHunk[]; warning: string } | undefined {
    if (hunks.every((hunk) => hunk.kind === 'head' || hunk.kind === 'tail'))
      return { hunks, warning: warnings.headTail }
    const steps = this.#store.editsSince(live.real, snapshot.digest)
    const liveDigest = digestOf(live.file.text)
    const reached = steps.findIndex((step) => step.to === liveDigest)
    if (reached !== -1) {
      const moved = translateThroughEdits(hunks, steps.slice(0, reached + 1))
      return moved && { hunks: moved.hunks, warning: moved.replayed ? warnings.replayed : warnings.recoveredSession }
    }
    const last = steps.at(-1)
    const ours = last === undefined ? undefined : this.#store.byDigest(live.real, last.to)
    if (ours === undefined) {
      const moved = translateThroughDrift(hunks, before, live.file.lines)
      return moved && { hunks: moved.hunks, warning: warnings.recoveredExternal }
    }
    const own = translateThroughEdits(hunks, steps)
    const moved = own && translateThroughDrift(own.hunks, splitLines(ours.text), live.file.lines)
    return moved && { hunks: moved.hunks, warning: warnings.recoveredExternal }
  }

  #apply(live: LiveFile, hunks: readonly ConcreteHunk[]): Promise<AppliedHunks> {
    const parse = async (text: string): Promise<BlockTree | undefined> => this.#blocks?.open(live.real, text)
    return applyHunks(live.file, hunks, { path: live.real, repairs: this.#rules.repairs, parse })
  }

  #guardUnseen(hunks: readonly Hunk[], live: LiveFile, snapshot: Snapshot): void {
    if (snapshot.seen.empty) return
    const unseen = new Set<number>()
    for (const hunk of hunks) {
      if (hunk.kind === 'head' || hunk.kind === 'tail') continue
      const last = hunk.kind === 'replace' || hunk.kind === 'delete' ? hunk.end : hunk.start
      for (let line = hunk.start; line <= last; line += 1) if (!snapshot.seen.has(line)) unseen.add(line)
    }
    if (unseen.size === 0) return
    const refusal = unseenRefusal(
      live.display,
      live.file.lines,
      [...unseen].sort((left, right) => left - right),
    )
    snapshot.seen.addAll(refusal.revealed)
    throw new PlumblineError('edit_rejected', refusal.message)
  }

  /** Inserts that repeat the line they stand at: literal, but worth saying. */
  #anchorEchoes(section: Section, lines: readonly string[]): string[] {
    if (!this.#rules.anchorEcho) return []
    return section.hunks.flatMap((hunk) => {
      const anchor = lines[hunk.start - 1]
      if (anchor === undefined || anchor.trim() === '') return []
      const near = hunk.kind === 'after' ? hunk.rows[0] : hunk.kind === 'before' ? hunk.rows.at(-1) : undefined
      return near === anchor ? [warnings.anchorEcho(hunk.start)] : []
    })
  }

  /** The refusal with current rows and the current tag; both can be used for the next try. */
  #mismatch(code: 'unknown_tag' | 'stale_tag', section: Section, live: LiveFile): PlumblineError {
    const actual = this.#store.tagOf(live.real, live.file.text)
    const aged = code === 'unknown_tag' && this.#store.wasIssued(live.real, section.tag)
    const words = aged ? refusals.agedTag : code === 'unknown_tag' ? refusals.unknownTag : refusals.staleTag
    const text = words(live.display, section.tag, actual)
    const anchors = section.hunks.flatMap((hunk) => (hunk.start === hunk.end ? [hunk.start] : [hunk.start, hunk.end]))
    const { message, shown } = withContext(text, live.file.lines, anchors)
    if (shown.length > 0) this.#store.record(live.real, live.file.text, shown)
    return new PlumblineError(aged ? 'stale_tag' : code, message, {
      context: { path: live.display, currentTag: actual },
    })
  }
}
