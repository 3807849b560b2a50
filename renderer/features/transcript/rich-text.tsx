import { common, createLowlight } from 'lowlight'
import { type ComponentType, Fragment, isValidElement, type ReactElement, type ReactNode } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { bridge } from '../../bridge'
import { reportActFailure } from '../../store/ui-store'

const lowlight = createLowlight(common)

interface HastNode {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly HastNode[]
}

function nodeToReact(node: HastNode, key: number): ReactNode {
  if (node.type === 'text') return node.value
  const children = node.children?.map(nodeToReact)
  if (node.type !== 'element') return <Fragment key={key}>{children}</Fragment>
  const names = node.properties?.className
  return (
    <span key={key} className={Array.isArray(names) ? names.join(' ') : undefined}>
      {children}
    </span>
  )
}

/** Code as coloured spans. A language that is not known stays plain. */
export function highlightCode(code: string, language: string): ReactNode {
  if (!lowlight.registered(language)) return code
  return nodeToReact(lowlight.highlight(language, code) as HastNode, 0)
}

function openLink(url: string): void {
  void bridge.app.openExternal({ url }).catch(reportActFailure)
}

function isWebAddress(url: string | undefined): url is string {
  return url !== undefined && /^https?:\/\//i.test(url)
}

function codeOf(children: ReactNode): { text: string; language: string } | null {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return null
  const { className, children: inner } = children.props
  const text = typeof inner === 'string' ? inner : Array.isArray(inner) ? inner.join('') : ''
  return { text: text.replace(/\n$/, ''), language: /language-(\S+)/.exec(className ?? '')?.[1] ?? '' }
}

/** Draws the code of a fenced block inside other Markdown. */
export type CodeBlockComponent = ComponentType<{ readonly code: string; readonly language: string }>

const componentsWith = (CodeBlock: CodeBlockComponent): Components => ({
  a: ({ href, children }) =>
    isWebAddress(href) ? (
      <a
        href={href}
        title={href}
        onClick={(event) => {
          event.preventDefault()
          openLink(href)
        }}
      >
        {children}
      </a>
    ) : (
      <span title={href}>{children}</span>
    ),
  // An image of a model's answer would be fetched from wherever it says: only its words are shown.
  img: ({ alt, src }) => (
    <span className="dim">[image: {alt || (typeof src === 'string' ? src : 'no description')}]</span>
  ),
  pre: ({ children }) => {
    const code = codeOf(children)
    return code === null ? <pre>{children}</pre> : <CodeBlock code={code.text} language={code.language} />
  },
  table: ({ children }) => (
    <div className="scroll">
      <table>{children}</table>
    </div>
  ),
})

/** Elements inside each other; a list is two of them. */
const MAX_DEPTH = 100

/** So many markers of quotes and lists at the start of a line, or of emphasis in one run, that parsing takes seconds. */
const MANY_MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){50}|[*_]{500}/m

const plugins = [remarkGfm]
const rehypePlugins = [limitDepth]

let components: { readonly of: CodeBlockComponent; readonly made: Components } | null = null

/**
 * Markdown as elements. HTML in it stays text; links open in the person's browser. What is nested without end, or what
 * the parser gives up on, is shown as it was written: no answer may take the window down.
 */
export function renderMarkdown(text: string, CodeBlock: CodeBlockComponent): ReactElement {
  // The same components every time: new ones would make React draw everything from scratch.
  if (components?.of !== CodeBlock) components = { of: CodeBlock, made: componentsWith(CodeBlock) }
  if (MANY_MARKERS.test(text)) return <p className="plain">{text}</p>
  try {
    return Markdown({ children: text, remarkPlugins: plugins, rehypePlugins, components: components.made })
  } catch {
    return <p className="plain">{text}</p>
  }
}

class NestedTooDeep extends Error {}

/** Stops where the tree is deeper than people write and layout can bear. */
function limitDepth() {
  return (tree: HastNode) => {
    let level: readonly HastNode[] = [tree]
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_DEPTH) throw new NestedTooDeep()
      level = level.flatMap((node) => node.children ?? [])
    }
  }
}
