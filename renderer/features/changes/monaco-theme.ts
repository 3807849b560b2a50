import { editor } from 'monaco-editor/editor/editor.api'
import { drawnTheme, tokenColor } from '../../theme/colors'

/** The one name under which the editor knows the window's colours, whichever theme is drawn. */
export const THEME_NAME = 'plumbline'

/** Everything the editor draws with no colour of its own. */
const NONE = '#00000000'

const bases = { light: 'vs', dark: 'vs-dark', contrast: 'hc-black' } as const

function rules(): editor.ITokenThemeRule[] {
  const of = (foreground: `--${string}`, ...tokens: string[]) =>
    tokens.map((token) => ({ token, foreground: tokenColor(foreground).slice(1, 7) }))
  return [
    ...of('--fg', ''),
    ...of('--syn-keyword', 'keyword', 'tag', 'metatag', 'storage', 'annotation', 'predefined', 'key'),
    ...of('--syn-string', 'string', 'attribute.value', 'regexp'),
    ...of('--syn-number', 'number', 'constant'),
    ...of('--syn-comment', 'comment'),
    ...of('--syn-fn', 'function', 'entity.name.function', 'attribute.name'),
    ...of('--syn-type', 'type', 'namespace', 'class', 'type.identifier'),
    ...of('--syn-punct', 'delimiter', 'operator', 'operators'),
  ]
}

function colors(): editor.IColors {
  return {
    'editor.background': tokenColor('--bg-canvas'),
    'editor.foreground': tokenColor('--fg'),
    'editorLineNumber.foreground': tokenColor('--fg-3'),
    'editorLineNumber.activeForeground': tokenColor('--fg-3'),
    'editor.selectionBackground': tokenColor('--selection'),
    'editor.inactiveSelectionBackground': tokenColor('--selection'),
    'editorCursor.foreground': tokenColor('--fg'),
    'editorWidget.background': tokenColor('--bg-raised'),
    'editorWidget.foreground': tokenColor('--fg'),
    'editorWidget.border': tokenColor('--line-strong'),
    'input.background': tokenColor('--bg-canvas'),
    'input.foreground': tokenColor('--fg'),
    'input.border': tokenColor('--line-control'),
    focusBorder: tokenColor('--focus'),
    'scrollbarSlider.background': tokenColor('--track'),
    'scrollbarSlider.hoverBackground': tokenColor('--line-strong'),
    'scrollbarSlider.activeBackground': tokenColor('--line-control'),
    'scrollbar.shadow': NONE,
    'diffEditor.insertedLineBackground': tokenColor('--add-bg'),
    'diffEditor.removedLineBackground': tokenColor('--remove-bg'),
    'diffEditor.insertedTextBackground': tokenColor('--add-word'),
    'diffEditor.removedTextBackground': tokenColor('--remove-word'),
    'diffEditorGutter.insertedLineBackground': tokenColor('--add-bg'),
    'diffEditorGutter.removedLineBackground': tokenColor('--remove-bg'),
    'diffEditor.insertedTextBorder': NONE,
    'diffEditor.removedTextBorder': NONE,
    'diffEditor.border': tokenColor('--line'),
    'diffEditor.diagonalFill': tokenColor('--gap'),
    'diffEditor.unchangedRegionBackground': tokenColor('--gap'),
    'diffEditor.unchangedRegionForeground': tokenColor('--fg-3'),
    'diffEditor.unchangedRegionShadow': NONE,
    'diffEditor.unchangedCodeBackground': NONE,
  }
}

/** Makes the editor's theme from the tokens as they are drawn now, and draws every editor in it. */
export function applyEditorTheme(): void {
  editor.defineTheme(THEME_NAME, { base: bases[drawnTheme()], inherit: false, rules: rules(), colors: colors() })
  editor.setTheme(THEME_NAME)
}
