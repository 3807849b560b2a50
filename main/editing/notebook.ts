import { randomBytes } from 'node:crypto'
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'
import { PlumblineError } from '../platform/errors'

export type CellType = 'code' | 'markdown'

export interface NotebookEdit {
  readonly newSource: string
  /** The cell to edit; a new cell is inserted without it. */
  readonly cellId?: string
  readonly cellType?: CellType
  /** The new cell stands after this one; at the end without it. */
  readonly insertAfter?: string
}

export interface EditedNotebook {
  readonly text: string
  /** The cell's own id, or `cell:N` where the file has none. */
  readonly cell: string
  readonly inserted: boolean
}

/** Tries to find a fresh id; eight hex digits of chance never need more. */
const ID_ATTEMPTS = 32

/**
 * Edits one cell of a notebook as text (EDIT-74, S14): only the cell's own characters change, so indentation, key order,
 * unknown fields, numbers and the final newline stay as they are. A cell without an id is named `cell:N`, counted from 0.
 * Throws `invalid_arguments` for what is no notebook, `not_found` for an unknown cell, `no_change`.
 */
export function editNotebook(text: string, edit: NotebookEdit, display: string): EditedNotebook {
  const root = parse(text, display)
  const cells = findNodeAtLocation(root, ['cells'])
  if (cells?.type !== 'array') throw noNotebook(display, 'it has no list of cells (nbformat 4)')
  const edited =
    edit.cellId === undefined
      ? insertCell(text, root, cells, edit, display)
      : changeCell(text, cells, edit, edit.cellId, display)
  if (edited.text === text) {
    throw new PlumblineError('no_change', `The cell of ${display} reads like that already. Nothing was written.`)
  }
  return edited
}

function parse(text: string, display: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  if (root?.type !== 'object' || errors.length > 0) throw noNotebook(display, 'it is not a JSON object')
  return root
}

function noNotebook(display: string, why: string): PlumblineError {
  return new PlumblineError('invalid_arguments', `${display} is not a notebook: ${why}. Nothing was written.`)
}

function changeCell(text: string, cells: Node, edit: NotebookEdit, id: string, display: string): EditedNotebook {
  const { node, index } = findCell(cells, id, display)
  const name = stringAt(node, 'id') ?? `cell:${index}`
  const before = stringAt(node, 'cell_type')
  if (edit.cellType !== undefined && edit.cellType !== before) {
    const order = (node.children ?? []).map((property) => property.children?.[0]?.value as unknown)
    const raw = Object.fromEntries(
      (node.children ?? []).map((property) => [String(property.children?.[0]?.value), rawValue(text, property)]),
    )
    const kept = order.map(String).filter((key) => key !== 'outputs' && key !== 'execution_count')
    const keys = edit.cellType === 'code' ? codeKeys(kept) : kept
    const style = styleOf(text, node)
    const values = keys.map((key): [string, string] => {
      if (key === 'cell_type') return [key, JSON.stringify(edit.cellType)]
      if (key === 'source') return [key, sourceText(edit.newSource, style, style.inner)]
      return [key, raw[key] ?? (key === 'outputs' ? '[]' : 'null')]
    })
    return { text: splice(text, node, objectText(values, style)), cell: name, inserted: false }
  }
  const source = findNodeAtLocation(node, ['source'])
  if (source === undefined) throw noNotebook(display, `cell ${id} has no source`)
  const style = styleOf(text, node)
  const written =
    source.type === 'string'
      ? JSON.stringify(edit.newSource)
      : sourceText(edit.newSource, listStyle(text, source, style), style.inner)
  return { text: splice(text, source, written), cell: name, inserted: false }
}

function insertCell(text: string, root: Node, cells: Node, edit: NotebookEdit, display: string): EditedNotebook {
  const type = edit.cellType ?? 'code'
  const count = cells.children?.length ?? 0
  const at = edit.insertAfter === undefined ? count : findCell(cells, edit.insertAfter, display).index + 1
  const id = hasIds(root) ? freshId(cells) : undefined
  const neighbour = cells.children?.[Math.max(0, at - 1)]
  const style = neighbour === undefined ? emptyStyle(text, cells) : styleOf(text, neighbour)
  const values: [string, string][] = [
    ['cell_type', JSON.stringify(type)],
    ...(type === 'code' ? [['execution_count', 'null'] as [string, string]] : []),
    ...(id === undefined ? [] : [['id', JSON.stringify(id)] as [string, string]]),
    ['metadata', '{}'],
    ...(type === 'code' ? [['outputs', '[]'] as [string, string]] : []),
    ['source', sourceText(edit.newSource, style, style.inner)],
  ]
  const cell = objectText(values, style)
  const name = id ?? `cell:${at}`
  const gap = style.multiline ? style.newline + style.outer : style.comma.slice(1)
  if (neighbour === undefined) {
    const close = style.multiline ? style.newline + style.closing : ''
    return { text: splice(text, cells, `[${style.multiline ? gap : ''}${cell}${close}]`), cell: name, inserted: true }
  }
  const end = neighbour.offset + neighbour.length
  const inserted = at === 0 ? `${cell},${gap}` : `,${gap}${cell}`
  const position = at === 0 ? neighbour.offset : end
  return { text: text.slice(0, position) + inserted + text.slice(position), cell: name, inserted: true }
}

/** Keys of a code cell in the order of the cell at hand, the missing ones where notebooks have them. */
function codeKeys(kept: readonly string[]): string[] {
  const keys = [...kept]
  keys.splice(keys.indexOf('cell_type') + 1, 0, 'execution_count')
  const source = keys.indexOf('source')
  keys.splice(source === -1 ? keys.length : source, 0, 'outputs')
  return keys
}

function findCell(cells: Node, id: string, display: string): { node: Node; index: number } {
  const all = cells.children ?? []
  const found = all.flatMap((node, index) => (stringAt(node, 'id') === id ? [{ node, index }] : []))
  const [only, second] = found
  if (second !== undefined) {
    throw new PlumblineError('conflict', `${display} has ${found.length} cells with the id ${id}. Nothing was written.`)
  }
  if (only !== undefined) return only
  const counted = /^cell[:-](\d+)$/.exec(id)
  const index = counted === null ? -1 : Number(counted[1])
  const node = all[index]
  if (node !== undefined) return { node, index }
  const known = all.map((cell, at) => stringAt(cell, 'id') ?? `cell:${at}`).slice(0, 20)
  throw new PlumblineError(
    'not_found',
    `${display} has no cell ${JSON.stringify(id)}. Nothing was written. Its cells: ${known.join(', ')}${all.length > known.length ? `, and ${all.length - known.length} more` : ''}.`,
  )
}

/** Cells have ids from nbformat 4.5 on. */
function hasIds(root: Node): boolean {
  const version = (key: string): number => {
    const value: unknown = findNodeAtLocation(root, [key])?.value
    return typeof value === 'number' ? value : 0
  }
  return version('nbformat') > 4 || (version('nbformat') === 4 && version('nbformat_minor') >= 5)
}

function freshId(cells: Node): string {
  const taken = new Set((cells.children ?? []).map((cell) => stringAt(cell, 'id')))
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt += 1) {
    const id = randomBytes(4).toString('hex')
    if (!taken.has(id)) return id
  }
  throw new PlumblineError('internal', 'No fresh cell id was found.')
}

function stringAt(node: Node, key: string): string | undefined {
  const value: unknown = findNodeAtLocation(node, [key])?.value
  return typeof value === 'string' ? value : undefined
}

function rawValue(text: string, property: Node): string {
  const value = property.children?.[1]
  return value === undefined ? 'null' : text.slice(value.offset, value.offset + value.length)
}

function splice(text: string, node: Node, written: string): string {
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length)
}

/** How the file lays its JSON out. */
interface Style {
  readonly multiline: boolean
  readonly newline: string
  /** Indentation of a cell's braces, of its keys, of what lies in its lists, and of the bracket that closes the cells. */
  readonly outer: string
  readonly inner: string
  readonly deeper: string
  readonly closing: string
  /** Between items on one line, and between key and value. */
  readonly comma: string
  readonly colon: string
}

function styleOf(text: string, cell: Node): Style {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const first = cell.children?.[0]
  const own = text.slice(cell.offset, cell.offset + cell.length)
  const multiline = first !== undefined && text.slice(cell.offset, first.offset).includes('\n')
  const outer = indentationAt(text, cell.offset)
  const inner = first === undefined || !multiline ? '' : indentationAt(text, first.offset)
  const unit = inner.startsWith(outer) ? inner.slice(outer.length) : ' '
  const closing = outer.endsWith(unit) ? outer.slice(0, outer.length - unit.length) : ''
  const spaced = /":\s/.test(own) || !/":/.test(own)
  return {
    multiline,
    newline,
    outer,
    inner,
    deeper: inner + unit,
    closing,
    comma: spaced ? ', ' : ',',
    colon: spaced ? ': ' : ':',
  }
}

function emptyStyle(text: string, cells: Node): Style {
  const closing = indentationAt(text, cells.offset)
  const multiline = text.trimEnd().includes('\n')
  const unit = closing === '' ? ' ' : closing
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const outer = closing + unit
  const layout = { multiline, newline, outer, inner: outer + unit, deeper: outer + unit + unit, closing }
  const spaced = multiline || /":\s/.test(text)
  return { ...layout, comma: spaced ? ', ' : ',', colon: spaced ? ': ' : ':' }
}

/** A source that is written on one line in an otherwise long notebook stays on one line. */
function listStyle(text: string, source: Node, style: Style): Style {
  const first = source.children?.[0]
  if (first === undefined) return style
  const multiline = text.slice(source.offset, first.offset).includes('\n')
  return { ...style, multiline, deeper: multiline ? indentationAt(text, first.offset) : style.deeper }
}

function indentationAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** Rows of a source keep their newline; all but the last end with one. */
function sourceText(source: string, style: Style, closing: string): string {
  const rows = source.split(/(?<=\n)/).filter((row) => row !== '')
  if (rows.length === 0) return '[]'
  const texts = rows.map((row) => JSON.stringify(row))
  if (!style.multiline) return `[${texts.join(style.comma)}]`
  const { newline, deeper } = style
  return `[${newline}${texts.map((row) => deeper + row).join(`,${newline}`)}${newline}${closing}]`
}

function objectText(values: readonly (readonly [string, string])[], style: Style): string {
  const items = values.map(([key, value]) => `${JSON.stringify(key)}${style.colon}${value}`)
  if (!style.multiline) return `{${items.join(style.comma)}}`
  const { newline, inner, outer } = style
  return `{${newline}${items.map((item) => inner + item).join(`,${newline}`)}${newline}${outer}}`
}
