import { memo, type ReactNode, useMemo } from 'react'
import { bridge } from '../../bridge'
import { IconButton } from '../../components/button'
import { reportActFailure } from '../../store/ui-store'
import { useRichText } from './rich-text-loader'

/** Code up to this many characters is coloured as a whole; longer or growing code in pieces, so that no frame is lost. */
const WHOLE_HIGHLIGHT_CHARACTERS = 12 * 1024

/** Lines of a piece. A string or comment that runs across the edge of a piece is coloured as if it began there. */
const PIECE_LINES = 40

/** Characters that are coloured at all: a megabyte of spans would hold the window for seconds. */
const MAX_HIGHLIGHT_CHARACTERS = 96 * 1024

/** The pieces that are coloured, and what follows them plain. */
export function colouredPieces(pieces: readonly string[]): { coloured: readonly string[]; plain: string } {
  let characters = 0
  const last = pieces.findIndex((piece) => {
    characters += piece.length
    return characters > MAX_HIGHLIGHT_CHARACTERS
  })
  return last === -1
    ? { coloured: pieces, plain: '' }
    : { coloured: pieces.slice(0, last), plain: pieces.slice(last).join('') }
}

/** Cuts code into pieces of whole lines; all but the last never change while code is added at the end. */
export function codePieces(code: string): readonly string[] {
  const pieces: string[] = []
  let from = 0
  let lines = 0
  for (let end = code.indexOf('\n'); end !== -1; end = code.indexOf('\n', end + 1)) {
    lines += 1
    if (lines < PIECE_LINES) continue
    pieces.push(code.slice(from, end + 1))
    from = end + 1
    lines = 0
  }
  pieces.push(code.slice(from))
  return pieces
}

const CodePiece = memo(function CodePiece({ code, language }: { code: string; language: string }): ReactNode {
  const richText = useRichText()
  return useMemo(() => richText?.highlightCode(code, language) ?? code, [richText, code, language])
})

interface CodeBlockProps {
  readonly code: string
  readonly language: string
  /** More code follows. */
  readonly growing?: boolean | undefined
}

/** Code with its language and a button that copies it. */
export function CodeBlock({ code, language, growing }: CodeBlockProps) {
  const whole = !growing && code.length <= WHOLE_HIGHLIGHT_CHARACTERS
  const { coloured, plain } = useMemo(() => colouredPieces(whole ? [code] : codePieces(code)), [whole, code])
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language || 'text'}</span>
        <IconButton
          icon="copy"
          label="Copy code"
          small
          onClick={() => void bridge.app.copyText(code).catch(reportActFailure)}
        />
      </figcaption>
      <pre className="scroll">
        <code>
          {coloured.map((piece, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end
            <CodePiece key={index} code={piece} language={language} />
          ))}
          {plain}
        </code>
      </pre>
    </figure>
  )
}
