import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONTRACT_ROWS } from '../fixtures/contract-rows'
import { ALL, ANCHORED, KEEPING, WORDED } from './contract-row'

const FOLDER = fileURLToPath(new URL('../toolsets/', import.meta.url))
const NAMED: Readonly<Record<string, readonly string[]>> = { ALL, ANCHORED, KEEPING, WORDED }

/** A pair of row and toolset. */
export interface Cell {
  readonly id: string
  readonly toolset: string
}

/** The cells that the contract tests name: calls of `row`, and tests named `ID toolset: …`. */
export function coveredCells(sources: readonly string[]): Set<string> {
  const covered = new Set<string>()
  for (const source of sources) {
    for (const [, id = '', list = ''] of source.matchAll(/\brow\(\s*'([A-Z]+-\d+)',\s*(\[[^\]]*\]|[A-Z]+)/g)) {
      const toolsets = NAMED[list] ?? [...list.matchAll(/'(\w+)'/g)].map((match) => match[1] ?? '')
      for (const toolset of toolsets) covered.add(`${id} ${toolset}`)
    }
    for (const [, ids = '', toolset = ''] of source.matchAll(/\bit\(\s*['"`]((?:[A-Z]+-\d+ )+)(\w+): /g)) {
      for (const id of ids.trim().split(' ')) covered.add(`${id} ${toolset}`)
    }
  }
  return covered
}

/** Every promised cell that no test names, apart from those of later work. */
export function uncovered(sources: readonly string[] = contractTests()): { missing: Cell[]; later: Cell[] } {
  const covered = coveredCells(sources)
  const missing: Cell[] = []
  const later: Cell[] = []
  for (const { id, toolsets, later: why } of CONTRACT_ROWS) {
    for (const toolset of toolsets) {
      if (covered.has(`${id} ${toolset}`)) continue
      ;(why === undefined ? missing : later).push({ id, toolset })
    }
  }
  return { missing, later }
}

function contractTests(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(FOLDER, name), 'utf8'))
}
