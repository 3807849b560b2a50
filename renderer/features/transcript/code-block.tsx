import { memo, type ReactNode, useMemo } from 'react'
import { bridge } from '../../bridge'
import { IconButton } from '../../components/button'
import { reportActFailure } from '../../store/ui-store'
import { useRichText } from './rich-text-loader'

/** Code up to this many characters is coloured as a whole; longer or growing code in pieces, so that no frame is lost. */
const WHOLE_HIGHLIGHT_CHARACTERS = 12 * 1024

/** Lines of a piece. A string or comment that runs across the edge of a piece is coloured as if it began there. */
const PIECE_LINES = 40

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
  const pieces = useMemo(() => (whole ? [code] : codePieces(code)), [whole, code])
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
          {pieces.map((piece, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end
            <CodePiece key={index} code={piece} language={language} />
          ))}
        </code>
      </pre>
    </figure>
  )
}
