import type { ResolvedPath } from '../workspace/path-authority'
import type { DirectoryTree } from './directory-tree'
import type { ImageInfo } from './images'
import type { LineRange, Selector } from './selectors'
import type { TextEncoding } from './text-decoding'

/** What one toolset's `read` takes and shows. The engine has no defaults of its own. */
export interface ReadContract {
  /** Lines shown of one target, all its ranges together. */
  readonly windowLines: number
  /** Explicit ranges may show more lines than the window; bytes still count. */
  readonly rangesBeyondWindow: boolean
  /** UTF-8 bytes of rows shown of one target. */
  readonly windowBytes: number
  readonly fileBytes: number
  /** Lines added around explicit ranges (READ-12). */
  readonly contextBefore: number
  readonly contextAfter: number
  /** Refuses UTF-16. */
  readonly utf8Only: boolean
  readonly directories: boolean
  readonly images: boolean
  readonly notebooks: boolean
  /** A relative path may leave the working folder where the session reaches further. */
  readonly relativeMayEscape: boolean
  /** Where the model should go instead, as sentences. */
  readonly instead: { readonly directory: string; readonly image: string; readonly url: string }
}

/** A line as it is shown. */
export interface ShownLine {
  readonly number: number
  readonly text: string
  /** Characters left out at its end. */
  readonly cut: number
}

export interface TextRead {
  readonly kind: 'text'
  readonly resolved: ResolvedPath
  readonly selector: Selector
  /** `notebook` when the lines are a rendering, which can't be edited by line. */
  readonly source: 'file' | 'notebook'
  readonly encoding: TextEncoding
  /** The file as it is on disk. */
  readonly bytes: Uint8Array
  /** The whole text without its byte-order mark, endings as in the file. */
  readonly text: string
  readonly totalLines: number
  /** Runs of neighbouring lines, in order. */
  readonly segments: readonly (readonly ShownLine[])[]
  /** Why not everything that was asked for is shown, and the first line that is missing. */
  readonly truncation: { readonly by: 'lines' | 'bytes'; readonly next: number } | null
  /** Ranges that start behind the last line. */
  readonly beyondEnd: readonly LineRange[]
}

export interface DirectoryRead {
  readonly kind: 'directory'
  readonly resolved: ResolvedPath
  readonly tree: DirectoryTree
}

export interface ImageRead {
  readonly kind: 'image'
  readonly resolved: ResolvedPath
  readonly bytes: Uint8Array
  readonly image: ImageInfo
}

export type ReadOutcome = TextRead | DirectoryRead | ImageRead
