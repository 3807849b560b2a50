import { memo, type ReactElement, useMemo, useRef } from 'react'
import { BlockSplitter, type MarkdownBlock, splitMarkdown } from '../../lib/markdown-blocks'
import { CodeBlock } from './code-block'
import { useRichText } from './rich-text-loader'

/** Characters of Markdown whose elements are kept: rows come back while scrolling without being parsed again. */
const CACHE_CHARACTERS = 2 * 1024 * 1024

/** Characters compared to see that a growing text goes on where it was. */
const CONTINUITY_CHARACTERS = 32

const cache = new Map<string, ReactElement>()
let cachedCharacters = 0

function cached(text: string, render: (text: string) => ReactElement): ReactElement {
  const known = cache.get(text)
  if (known !== undefined) {
    cache.delete(text)
    cache.set(text, known)
    return known
  }
  const element = render(text)
  cache.set(text, element)
  cachedCharacters += text.length
  for (const oldest of cache.keys()) {
    if (cachedCharacters <= CACHE_CHARACTERS) break
    cache.delete(oldest)
    cachedCharacters -= oldest.length
  }
  return element
}

const Block = memo(function Block({ block, growing }: { block: MarkdownBlock; growing?: boolean }) {
  const richText = useRichText()
  if (block.kind === 'code') return <CodeBlock code={block.text} language={block.language} growing={growing} />
  if (richText === null) return <p className="plain">{block.text}</p>
  const render = (text: string) => richText.renderMarkdown(text, CodeBlock)
  return growing ? render(block.text) : cached(block.text, render)
})

/**
 * Blocks that are compared, and laid out, together: an answer that grows costs one comparison and one box a group,
 * however long it is.
 */
const GROUP_BLOCKS = 16

interface GroupProps {
  readonly blocks: readonly MarkdownBlock[]
  /** The block after them that still grows. It keeps its place, so that it is not drawn anew when it is finished. */
  readonly tail?: MarkdownBlock | null | undefined
}

const Group = memo(
  function Group({ blocks, tail }: GroupProps) {
    const shown = tail ? [...blocks, tail] : blocks
    return (
      <div className="blocks">
        {shown.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end
          <Block key={index} block={block} growing={block === tail} />
        ))}
      </div>
    )
  },
  (before, after) =>
    before.tail === after.tail &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, index) => block === after.blocks[index]),
)

function Blocks({ blocks, tail = null }: GroupProps) {
  const groups = Math.ceil((blocks.length + (tail === null ? 0 : 1)) / GROUP_BLOCKS)
  return Array.from({ length: groups }, (_, group) => {
    const from = group * GROUP_BLOCKS
    return (
      <Group
        // biome-ignore lint/suspicious/noArrayIndexKey: groups are only ever added at the end
        key={group}
        blocks={blocks.slice(from, from + GROUP_BLOCKS)}
        tail={group === groups - 1 ? tail : null}
      />
    )
  })
}

/** Finished Markdown. */
export const StaticMarkdown = memo(function StaticMarkdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => splitMarkdown(text), [text])
  return (
    <div className="prose">
      <Blocks blocks={blocks} />
    </div>
  )
})

interface Growing {
  readonly splitter: BlockSplitter
  readonly end: string
}

/** Follows a text that grows at its end; a text that began anew is taken from its start. */
function grow(before: Growing | null, text: string): Growing {
  const continues =
    before !== null &&
    text.length >= before.splitter.length &&
    text.slice(Math.max(0, before.splitter.length - CONTINUITY_CHARACTERS), before.splitter.length) === before.end
  const splitter = continues ? before.splitter : new BlockSplitter()
  splitter.append(text.slice(splitter.length))
  return { splitter, end: text.slice(-CONTINUITY_CHARACTERS) }
}

/** Markdown that streams: only its last block is drawn again when text arrives. */
export function StreamingMarkdown({ text }: { readonly text: string }) {
  const growing = useRef<Growing | null>(null)
  growing.current = grow(growing.current, text)
  const { completed, tail } = growing.current.splitter
  return (
    <div className="prose streaming">
      <Blocks blocks={completed} tail={tail} />
    </div>
  )
}
