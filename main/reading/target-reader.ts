import { type Clock, systemClock } from '../platform/clock'
import { isSystemError, PlumblineError } from '../platform/errors'
import type { PathAuthority, PathScope, ResolvedPath } from '../workspace/path-authority'
import { directoryTree } from './directory-tree'
import type { FileReader } from './file-reader'
import { imageType, inspectImage, isNamedLikeImage } from './images'
import { LineIndex } from './line-index'
import { windowOf } from './line-window'
import { notebookText } from './notebook-text'
import type { DirectoryRead, ReadContract, ReadOutcome, TextRead } from './read-contract'
import { NO_SELECTOR, type Selector, type SelectorSplit, splitSelector } from './selectors'
import { requireText } from './text-decoding'

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i

/** File kinds that hold something else than lines, by name, with what they are called. */
const RESOURCES: readonly (readonly [name: RegExp, what: string])[] = [
  [/\.(zip|jar|tar|tgz|tar\.gz|gz)$/i, 'an archive'],
  [/\.(db|sqlite|sqlite3)$/i, 'a database'],
  [/\.(pdf|docx?|pptx?|xlsx?|rtf|epub)$/i, 'a document'],
]

/** A target whose path is known: the first split whose path exists, else the one that takes most as selector. */
export interface ResolvedTarget {
  readonly resolved: ResolvedPath
  readonly selector: Selector
  readonly suffix: string
}

/** Reads what a path with selectors names: files, folders, images, notebooks. One engine for every toolset's `read`. */
export class TargetReader {
  readonly #paths: PathAuthority
  readonly #files: FileReader
  readonly #clock: Clock

  constructor(options: { paths: PathAuthority; files: FileReader; clock?: Clock }) {
    this.#paths = options.paths
    this.#files = options.files
    this.#clock = options.clock ?? systemClock
  }

  /**
   * Resolves a target without reading contents. With `selectors` false the whole text is the path.
   * Throws as `PathAuthority.resolve`, and `not_supported` for schemes.
   */
  async resolve(target: string, scope: PathScope, contract: ReadContract, selectors = true): Promise<ResolvedTarget> {
    const scheme = SCHEME.exec(target)?.[1]?.toLowerCase()
    if (scheme !== undefined) throw refuseScheme(target, scheme, contract)
    const splits = selectors ? splitSelector(target) : [{ path: target, selector: NO_SELECTOR, suffix: '' }]
    let last: ResolvedTarget | undefined
    for (const split of splits) {
      const resolved = await this.#paths.resolve(split.path, scope, { relativeMayEscape: contract.relativeMayEscape })
      last = { resolved, selector: split.selector, suffix: split.suffix }
      if (resolved.exists || resolved.symlink) return last
    }
    if (last === undefined) throw new PlumblineError('invalid_arguments', 'The path is empty.')
    await this.#explainResource(splits, scope)
    return last
  }

  /** Reads a target. Every failure is a `PlumblineError` whose message says what to do instead. */
  async read(target: ResolvedTarget, contract: ReadContract, signal: AbortSignal): Promise<ReadOutcome> {
    const { resolved, selector } = target
    if (resolved.kind === 'directory') return this.#readDirectory(target, contract, signal)
    const { bytes } = await this.#files.read(resolved, signal, contract.fileBytes)
    if (!selector.raw && (imageType(bytes) !== undefined || isNamedLikeImage(resolved.real))) {
      if (!contract.images)
        throw new PlumblineError('not_supported', `${resolved.display} is an image. ${contract.instead.image}`)
      return { kind: 'image', resolved, bytes, image: inspectImage(bytes, resolved.display) }
    }
    return this.#readText(target, bytes, contract, signal)
  }

  async #readText(
    { resolved, selector }: ResolvedTarget,
    bytes: Uint8Array,
    contract: ReadContract,
    signal: AbortSignal,
  ): Promise<TextRead> {
    const decoded = decodeOrExplain(bytes, resolved)
    if (contract.utf8Only && decoded.encoding !== 'utf-8') {
      throw new PlumblineError(
        'invalid_encoding',
        `${resolved.display} is ${decoded.encoding.toUpperCase()} text; only UTF-8 can be read.`,
      )
    }
    const asNotebook = contract.notebooks && !selector.raw && resolved.real.toLowerCase().endsWith('.ipynb')
    const text = asNotebook ? notebookText(decoded.text, resolved.display) : decoded.text
    const index = await LineIndex.of(text, signal)
    const window = windowOf(index, selector, contract)
    if (window.beyondEnd.length > 0 && window.segments.length === 0)
      throw beyondEnd(resolved, window.beyondEnd, index.count)
    return {
      kind: 'text',
      resolved,
      selector,
      source: asNotebook ? 'notebook' : 'file',
      encoding: decoded.encoding,
      bytes,
      text,
      totalLines: index.count,
      ...window,
    }
  }

  async #readDirectory(target: ResolvedTarget, contract: ReadContract, signal: AbortSignal): Promise<DirectoryRead> {
    const { resolved, selector } = target
    if (!contract.directories) {
      throw new PlumblineError('is_directory', `${resolved.display} is a folder. ${contract.instead.directory}`)
    }
    if (selector.ranges.length > 0) {
      throw new PlumblineError('is_directory', `${resolved.display} is a folder; line selectors are for files.`)
    }
    try {
      const closed = new Set(await this.#paths.credentialLocations())
      const tree = await directoryTree(resolved.real, resolved.display, { now: this.#clock.now(), closed, signal })
      return { kind: 'directory', resolved, tree }
    } catch (failure) {
      if (!isSystemError(failure)) throw failure
      const code = failure.code === 'EACCES' || failure.code === 'EPERM' ? 'access_denied' : 'io'
      throw new PlumblineError(code, `${resolved.display} can't be listed: ${failure.message}.`, { cause: failure })
    }
  }

  /** `a.zip:member` and `shop.db:items` name something inside a file that exists. */
  async #explainResource(splits: readonly SelectorSplit[], scope: PathScope): Promise<void> {
    const target = splits[0]?.path ?? ''
    for (const match of target.matchAll(/[:?]/g)) {
      const container = target.slice(0, match.index)
      const what = RESOURCES.find(([name]) => name.test(container))?.[1]
      if (what === undefined) continue
      const resolved = await this.#paths.inspect(container, scope)
      if (resolved.kind === 'file') throw notYet(resolved.display, what)
    }
  }
}

function decodeOrExplain(bytes: Uint8Array, resolved: ResolvedPath): ReturnType<typeof requireText> {
  try {
    return requireText(bytes, resolved.display)
  } catch (failure) {
    const what = RESOURCES.find(([name]) => name.test(resolved.real))?.[1]
    throw what === undefined ? failure : notYet(resolved.display, what)
  }
}

function notYet(display: string, what: string): PlumblineError {
  return new PlumblineError(
    'not_supported',
    `${display} is ${what}; looking inside is not supported by this version. Use the shell to unpack or query it.`,
  )
}

function refuseScheme(target: string, scheme: string, contract: ReadContract): PlumblineError {
  if (scheme === 'http' || scheme === 'https') {
    return new PlumblineError('not_supported', `${target} is a web address. ${contract.instead.url}`)
  }
  return new PlumblineError(
    'not_supported',
    `The resource scheme ${scheme}:// is not supported; give a path of a file.`,
  )
}

function beyondEnd(resolved: ResolvedPath, ranges: TextRead['beyondEnd'], lines: number): PlumblineError {
  const start = ranges[0]?.start ?? 1
  return new PlumblineError(
    'invalid_arguments',
    `Line ${start} is beyond the end of ${resolved.display}, which has ${lines} ${lines === 1 ? 'line' : 'lines'}.`,
  )
}
