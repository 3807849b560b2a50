import 'monaco-editor/features/codicon/register'
import 'monaco-editor/features/clipboard/register'
import 'monaco-editor/features/diffEditor/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/wordOperations/register'
import './monaco-languages'
import { editor, Uri } from 'monaco-editor/editor/editor.api'
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
import { useEffect, useRef } from 'react'
import type { DiffContent } from '../../../preload/contract/changes'
import { tokenPixels, tokenText, watchColors } from '../../theme/colors'
import { applyEditorTheme, THEME_NAME } from './monaco-theme'

self.MonacoEnvironment = { getWorker: () => new EditorWorker() }

/** Below this width, in CSS pixels, two columns of code are too narrow to read. */
const INLINE_BELOW = 540

/** Milliseconds after which the comparison is cut short and coarser. */
const COMPARE_MS = 3000

function options(): editor.IStandaloneDiffEditorConstructionOptions {
  return {
    theme: THEME_NAME,
    readOnly: true,
    domReadOnly: true,
    originalEditable: false,
    automaticLayout: true,
    tabFocusMode: true,
    fontFamily: tokenText('--font-mono'),
    fontSize: tokenPixels('--fs-code'),
    lineHeight: tokenPixels('--lh-code'),
    useInlineViewWhenSpaceIsLimited: true,
    renderSideBySideInlineBreakpoint: INLINE_BELOW,
    maxComputationTime: COMPARE_MS,
    ignoreTrimWhitespace: false,
    renderIndicators: true,
    renderMarginRevertIcon: false,
    renderGutterMenu: false,
    renderOverviewRuler: false,
    hideUnchangedRegions: { enabled: true, contextLineCount: 3, minimumLineCount: 3, revealLineCount: 20 },
    minimap: { enabled: false },
    overviewRulerLanes: 0,
    scrollBeyondLastLine: false,
    renderLineHighlight: 'none',
    glyphMargin: false,
    folding: false,
    lineNumbersMinChars: 3,
    scrollbar: { verticalScrollbarSize: 8, horizontalScrollbarSize: 8, useShadows: false },
    contextmenu: false,
    links: false,
    guides: { indentation: false, bracketPairs: false },
    bracketPairColorization: { enabled: false },
    matchBrackets: 'never',
    occurrencesHighlight: 'off',
    selectionHighlight: false,
    stickyScroll: { enabled: false },
    unicodeHighlight: { ambiguousCharacters: false },
    originalAriaLabel: 'Before',
    modifiedAriaLabel: 'After',
  }
}

function modelsOf({ file, before, after }: DiffContent): editor.IDiffEditorModel {
  const model = (side: string, text: string | null, path: string) => {
    const uri = Uri.from({ scheme: 'plumbline', authority: side, path: `/${path}` })
    const made = editor.createModel(text ?? '', undefined, uri)
    // Brackets take the colour of punctuation: rainbow colours are not among the tokens.
    made.updateOptions({
      bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
    })
    return made
  }
  return { original: model('before', before, file.from ?? file.path), modified: model('after', after, file.path) }
}

function disposeModels(models: editor.IDiffEditorModel | null): void {
  models?.original.dispose()
  models?.modified.dispose()
}

function setText(model: editor.ITextModel, text: string | null): void {
  if (model.getValue() !== (text ?? '')) model.setValue(text ?? '')
}

/** Puts a file into the editor. The same file again keeps its place; another one starts at its first change. */
function show(diff: editor.IStandaloneDiffEditor, content: DiffContent): void {
  const models = diff.getModel()
  if (models !== null && models.modified.uri.path === `/${content.file.path}`) {
    setText(models.original, content.before)
    setText(models.modified, content.after)
    return
  }
  diff.setModel(null)
  disposeModels(models)
  diff.setModel(modelsOf(content))
  const update = diff.onDidUpdateDiff(() => {
    update.dispose()
    diff.revealFirstDiff()
  })
}

interface MonacoDiffProps {
  readonly content: DiffContent
  readonly sideBySide: boolean
}

/** The difference of one file in the editor. There is one editor in the window at most; it goes when this does. */
export default function MonacoDiff({ content, sideBySide }: MonacoDiffProps) {
  const frame = useRef<HTMLElement>(null)
  const diff = useRef<editor.IStandaloneDiffEditor | null>(null)
  useEffect(() => {
    if (frame.current === null) return
    applyEditorTheme()
    const made = editor.createDiffEditor(frame.current, options())
    diff.current = made
    const unwatch = watchColors(applyEditorTheme)
    return () => {
      unwatch()
      diff.current = null
      const models = made.getModel()
      made.dispose()
      disposeModels(models)
    }
  }, [])
  useEffect(() => diff.current?.updateOptions({ renderSideBySide: sideBySide }), [sideBySide])
  useEffect(() => {
    if (diff.current !== null) show(diff.current, content)
  }, [content])
  return (
    <section
      ref={frame}
      className="monaco-frame"
      data-testid="diff"
      aria-label={`Difference of ${content.file.path}`}
    />
  )
}
