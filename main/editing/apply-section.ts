import { PlumblineError } from '../platform/errors'
import type { BlockTree } from '../syntax/block-resolver'
import { type ConcreteHunk, checkBounds, checkOverlap } from './concrete-hunk'
import { equalBalance, NEUTRAL } from './delimiters'
import { settleLanding } from './landing'
import { findRepair, type Repair, wholeBalance } from './repairs'
import { applySplices, type Spliced, splicesOf } from './splice'
import type { TextFile } from './text-file'

/** `refuse` turns a repair into a refusal that names it; `off` applies everything as authored. */
export type RepairPolicy = 'repair' | 'refuse' | 'off'

/** A repair as it was made, for the window: what the model wrote and what was written instead. */
export interface MadeRepair {
  readonly line: number
  readonly authored: readonly string[]
  readonly written: readonly string[]
  readonly warning: string
}

export interface AppliedHunks extends Spliced {
  readonly warnings: readonly string[]
  readonly repairs: readonly MadeRepair[]
}

export interface ApplyOptions {
  readonly path: string
  readonly repairs: RepairPolicy
  /** Parses a text, to prove repairs; undefined result where no grammar judges. */
  parse(text: string): Promise<BlockTree | undefined>
}

/**
 * Applies hunks whose lines are those of `file`: bounds, overlap, landing, repairs, splices. Throws `edit_rejected`; the
 * file is never touched here.
 */
export async function applyHunks(
  file: TextFile,
  hunks: readonly ConcreteHunk[],
  options: ApplyOptions,
): Promise<AppliedHunks> {
  checkBounds(hunks, file.lines.length)
  checkOverlap(hunks)
  const warnings: string[] = []
  const landed = hunks.map((hunk) => {
    const landing = settleLanding(hunk, file.lines, hunks)
    if (landing.warning !== undefined) warnings.push(landing.warning)
    return landing.hunk
  })
  const { settled, repairs } = await settleRepairs(file, landed, options)
  warnings.push(...repairs.map((repair) => repair.warning))
  const spliced = applySplices(file, splicesOf(settled, file.lines.length))
  const fault = await newFault(file, spliced.file, settled, options)
  if (fault !== undefined) warnings.push(fault)
  return { ...spliced, warnings, repairs }
}

/**
 * Says when a file that a grammar could read before can't be read after. Only edits that change the balance of brackets
 * are looked at: parsing every result would cost more than the edit.
 */
async function newFault(
  before: TextFile,
  after: TextFile,
  hunks: readonly ConcreteHunk[],
  options: ApplyOptions,
): Promise<string | undefined> {
  if (equalBalance(wholeBalance(hunks, before.lines, options.path), NEUTRAL)) return undefined
  const now = await options.parse(after.text)
  if (now?.faults === undefined || now.faults === 0) return undefined
  if ((await options.parse(before.text))?.faults !== 0) return undefined
  const near = now.firstFault === undefined ? '' : `, first near line ${now.firstFault}`
  return `The file parsed before this edit and does not any more${near}. Written as authored; check the brackets.`
}

async function settleRepairs(
  file: TextFile,
  hunks: readonly ConcreteHunk[],
  options: ApplyOptions,
): Promise<{ settled: ConcreteHunk[]; repairs: MadeRepair[] }> {
  const settled = [...hunks]
  const repairs: MadeRepair[] = []
  if (options.repairs === 'off') return { settled, repairs }
  for (const [index, hunk] of hunks.entries()) {
    const repair = findRepair(hunk, file.lines, settled, options.path)
    if (repair === undefined) continue
    const repaired = settled.with(index, repair.hunk)
    if (!(await isProven(repair, file, settled, repaired, options))) continue
    if (options.repairs === 'refuse') throw new PlumblineError('edit_rejected', refusal(repair))
    settled[index] = repair.hunk
    repairs.push({ line: hunk.start, authored: hunk.rows, written: repair.hunk.rows, warning: repair.warning })
  }
  return { settled, repairs }
}

/**
 * A grammar decides: a bracket repair must turn faults into none that were not there before; an echo, whose evidence is
 * the repeated lines on both sides, must not add any. Without a grammar only echoes count as proven.
 */
async function isProven(
  repair: Repair,
  file: TextFile,
  authored: readonly ConcreteHunk[],
  repaired: readonly ConcreteHunk[],
  options: ApplyOptions,
): Promise<boolean> {
  const textOf = (hunks: readonly ConcreteHunk[]) => applySplices(file, splicesOf(hunks, file.lines.length)).file.text
  const faults = async (text: string) => (await options.parse(text))?.faults
  const after = await faults(textOf(repaired))
  if (after === undefined) return repair.kind === 'echo'
  const asWritten = (await faults(textOf(authored))) ?? 0
  if (repair.kind === 'echo') return after <= asWritten
  const before = (await faults(file.text)) ?? 0
  return asWritten > before && after <= before
}

function refusal(repair: Repair): string {
  const named = repair.warning.replace(/^Auto-repaired /, '')
  return `Nothing was written. Repairs are turned off here, and the patch would need one: ${named}`
}
