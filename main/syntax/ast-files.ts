import { isUtf8 } from 'node:buffer'
import { parse, type SgNode } from '@ast-grep/napi'
import { DirectoryCache } from '../workspace/directory-cache'
import { FileLoader } from '../workspace/file-loader'
import { absoluteOf, Walker } from '../workspace/walker'
import { grammarOf } from './ast-languages'
import type { AstLimits, AstReport, AstTarget } from './ast-types'

/** The listings that this thread remembers from one call to the next. */
const listings = new DirectoryCache()

/** A file with a grammar, read whole. */
export interface SourceFile {
  readonly display: string
  readonly grammar: string
  /** Without a byte-order mark. */
  readonly text: string
  /** Bytes of the mark that stands before the text. */
  readonly markBytes: number
}

export interface SourceQuery {
  readonly target: AstTarget
  readonly limits: AstLimits
  /** Undefined takes every grammar. */
  accepts(grammar: string): boolean
  /** Whether the call is over; called for every entry. */
  interrupted(): boolean
}

/** The source files of a call within its limits; what is left out is counted in `report`. Links are not followed. */
export function* sourceFiles(query: SourceQuery, report: AstReport): Generator<SourceFile> {
  const loader = new FileLoader()
  const { limits } = query
  for (const { absolute, display } of candidates(query, report)) {
    if (query.interrupted()) return
    const grammar = grammarOf(display)
    if (grammar === undefined || !query.accepts(grammar)) continue
    if (report.filesScanned >= limits.files) {
      report.limitReached = true
      return
    }
    const bytes = loader.load(absolute, limits.fileBytes)
    report.filesScanned += 1
    if (bytes === undefined || bytes === 'too_large' || !isUtf8(bytes)) {
      report.filesSkipped += 1
      continue
    }
    if (report.bytesScanned + bytes.length > limits.totalBytes) {
      report.limitReached = true
      return
    }
    report.bytesScanned += bytes.length
    const markBytes = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    yield { display, grammar, text: bytes.toString('utf8', markBytes), markBytes }
  }
}

function* candidates(query: SourceQuery, report: AstReport): Generator<{ absolute: string | Buffer; display: string }> {
  const { target } = query
  if (target.kind === 'file') {
    yield target
    return
  }
  const walker = new Walker(target.walk, () => query.interrupted(), listings)
  for (const entry of walker.walk()) {
    if (entry.kind !== 'file' || entry.link) continue
    yield { absolute: absoluteOf(target.walk.root, entry), display: target.prefix + entry.relative }
  }
  Object.assign(report.walk, walker.report)
}

/** The tree of a source; undefined, and counted as skipped, when it is larger than allowed. */
export function boundedTree(file: SourceFile, limits: AstLimits, report: AstReport): SgNode | undefined {
  const root = parse(file.grammar, file.text).root()
  if (isWithin(root, limits)) return root
  report.filesSkipped += 1
  return undefined
}

/** Counts nodes and depth, stopping at the first that is too much. */
export function isWithin(root: SgNode, limits: Pick<AstLimits, 'nodes' | 'depth'>): boolean {
  let nodes = 0
  let level: SgNode[] = [root]
  for (let depth = 1; level.length > 0; depth += 1) {
    nodes += level.length
    if (depth > limits.depth || nodes > limits.nodes) return false
    level = level.flatMap((node) => node.children())
  }
  return true
}
