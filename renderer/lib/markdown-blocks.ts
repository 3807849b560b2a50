/** A prose block longer than this many characters is divided at the next line that allows it: the live end stays cheap. */
const PROSE_BLOCK_CHARACTERS = 8 * 1024

/** A list longer than this many characters is divided before its next top-level item. */
const LIST_BLOCK_CHARACTERS = 2 * 1024

export interface MarkdownBlock {
  readonly kind: 'prose' | 'code'
  /** The Markdown of a prose block; the bare code of a code block. */
  readonly text: string
  /** The first word after the fence, lower case; empty when there is none. */
  readonly language: string
}

interface Fence {
  readonly mark: string
  readonly language: string
}

const fenceStart = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/
const listItem = /^(?:[-*+]|\d{1,9}[.)])[ \t]/

/**
 * Cuts Markdown into blocks that can be drawn one by one, while it streams. A block that is `completed` never changes
 * again, so that each piece of text costs the same however long the message already is. Only top-level fences are code
 * blocks of their own; everything else stays prose for the Markdown parser.
 */
export class BlockSplitter {
  private done: MarkdownBlock[] = []
  private block = ''
  private line = ''
  private fence: Fence | null = null
  private blankBefore = false
  private isList = false
  private consumed = 0

  /** Blocks that are final. The array is a new one whenever a block was added. */
  get completed(): readonly MarkdownBlock[] {
    return this.done
  }

  /** The block that is still growing, or null. */
  get tail(): MarkdownBlock | null {
    const text = this.block + this.line
    if (this.fence !== null) return { kind: 'code', text, language: this.fence.language }
    return text.trim() === '' ? null : { kind: 'prose', text, language: '' }
  }

  /** Characters taken so far. */
  get length(): number {
    return this.consumed
  }

  /** Takes the next piece of text. */
  append(piece: string): void {
    this.consumed += piece.length
    let from = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      this.takeLine(this.line + piece.slice(from, end))
      this.line = ''
      from = end + 1
    }
    this.line += piece.slice(from)
  }

  /** Everything taken so far, with the end treated as final. */
  blocks(): readonly MarkdownBlock[] {
    const { tail } = this
    return tail === null ? this.done : [...this.done, tail]
  }

  private takeLine(line: string): void {
    if (this.fence !== null) this.takeCode(line, this.fence)
    else this.takeProse(line)
  }

  private takeCode(line: string, fence: Fence): void {
    const trimmed = line.trim()
    const closes = trimmed.length >= fence.mark.length && trimmed === fence.mark.charAt(0).repeat(trimmed.length)
    if (!closes) {
      this.block += `${line}\n`
      return
    }
    this.finish({ kind: 'code', text: this.block.replace(/\n$/, ''), language: fence.language })
    this.fence = null
  }

  private takeProse(line: string): void {
    const opening = fenceStart.exec(line)
    if (opening && !(this.isList && opening[1] !== '')) {
      this.finishProse()
      this.fence = { mark: opening[2] ?? '```', language: (opening[3] ?? '').toLowerCase() }
      return
    }
    if (line.trim() === '') {
      this.blankBefore = true
      this.block += `${line}\n`
      return
    }
    if (this.startsBlock(line)) this.finishProse()
    if (this.block.trim() === '') this.isList = listItem.test(line)
    this.blankBefore = false
    this.block += `${line}\n`
  }

  private startsBlock(line: string): boolean {
    if (this.block.trim() === '') return false
    if (this.isList) {
      const item = listItem.test(line)
      if (item) return this.block.length > LIST_BLOCK_CHARACTERS
      return this.blankBefore && !/^\s/.test(line)
    }
    if (this.blankBefore) return !/^(?: {4}|\t)/.test(line)
    return this.block.length > PROSE_BLOCK_CHARACTERS && !line.startsWith('|')
  }

  private finishProse(): void {
    if (this.block.trim() !== '') this.finish({ kind: 'prose', text: this.block, language: '' })
    this.block = ''
    this.isList = false
    this.blankBefore = false
  }

  private finish(block: MarkdownBlock): void {
    this.done = [...this.done, block]
    this.block = ''
    this.isList = false
    this.blankBefore = false
  }
}

/** The blocks of a whole text. */
export function splitMarkdown(text: string): readonly MarkdownBlock[] {
  const splitter = new BlockSplitter()
  splitter.append(text)
  return splitter.blocks()
}
