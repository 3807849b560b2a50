import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { z } from 'zod'
import type { SettingsIssue } from '../../preload/contract/settings'
import { SettingsFile } from './schema'

/** Rounds of taking faulty keys out; a file with more faults than that counts as empty. */
const MAX_ROUNDS = 200

/** Edit distance up to which an unknown key is taken for a slip. */
const MAX_SLIP = 2

export interface ParsedSettings {
  values: SettingsFile
  issues: SettingsIssue[]
  /** The line of a key written with dots, or of the nearest thing around it. */
  lineOf(key: string): number
}

const firstLine = () => 1

type Path = (string | number)[]

/**
 * Reads a settings file: JSON with comments and trailing commas. What is wrong becomes an issue with file, line and
 * key, and is left out; the rest of the file counts.
 */
export function parseSettings(file: string, text: string): ParsedSettings {
  const source = text.replace(/^\uFEFF/, '')
  const errors: ParseError[] = []
  const tree = parseTree(source, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const issues: SettingsIssue[] = errors.slice(0, 20).map((error) => ({
    file,
    line: lineAt(source, error.offset),
    key: '',
    message: `${words(printParseErrorCode(error.error))}. What can be read counts.`,
  }))
  if (tree === undefined) return { values: {}, issues, lineOf: firstLine }
  if (tree.type !== 'object') {
    issues.push({ file, line: 1, key: '', message: 'A settings file holds one object. The file is ignored.' })
    return { values: {}, issues, lineOf: firstLine }
  }
  const lines = new Lines(source)
  const root = lines.valueOf(tree)
  const lineOf = (key: string) => lines.of(root, key.split('.'))
  return { values: sieve(file, root, lines, issues), issues, lineOf }
}

/** Takes faulty keys out until the rest fits. */
function sieve(file: string, root: unknown, lines: Lines, issues: SettingsIssue[]): SettingsFile {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const parsed = SettingsFile.safeParse(root)
    if (parsed.success) return parsed.data
    for (const { path, message } of faults(parsed.error.issues)) {
      const removed = remove(root, path)
      const line = removed.line ?? lines.of(root, removed.path)
      issues.push({
        file,
        line,
        key: printPath(path),
        message: `${message} It is ignored, the rest of the file counts.`,
      })
    }
  }
  return {}
}

/** Deepest and last first, so that taking one out does not move the next. */
function faults(zodIssues: readonly z.core.$ZodIssue[]): { path: Path; message: string }[] {
  const found = new Map<string, { path: Path; message: string }>()
  for (const issue of zodIssues) {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        found.set(JSON.stringify([...path, key]), { path: [...path, key], message: unknownKey(path, key) })
    } else if (!found.has(JSON.stringify(path))) {
      found.set(JSON.stringify(path), { path, message: `${issue.message}.` })
    }
  }
  return [...found.values()].sort((first, second) => comparePaths(second.path, first.path))
}

function comparePaths(first: Path, second: Path): number {
  for (let index = 0; index < Math.min(first.length, second.length); index += 1) {
    const [left, right] = [first[index], second[index]]
    if (left === right) continue
    if (typeof left === 'number' && typeof right === 'number') return left - right
    return String(left) < String(right) ? -1 : 1
  }
  return first.length - second.length
}

const lineNumbers = new WeakMap<object, Map<string, number> | number[]>()

/** Takes the value out; a required key that is missing takes its object with it. */
function remove(root: unknown, path: Path): { path: Path; line: number | undefined } {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = at(root, path.slice(0, length - 1))
    const step = path[length - 1]
    if (Array.isArray(parent) && typeof step === 'number' && step < parent.length) {
      parent.splice(step, 1)
      const numbers = lineNumbers.get(parent)
      const line = Array.isArray(numbers) ? numbers.splice(step, 1)[0] : undefined
      return { path: path.slice(0, length), line }
    }
    if (isObject(parent) && typeof step === 'string' && Object.hasOwn(parent, step)) {
      delete parent[step]
      const numbers = lineNumbers.get(parent)
      return { path: path.slice(0, length), line: numbers instanceof Map ? numbers.get(step) : undefined }
    }
  }
  if (isObject(root)) for (const key of Object.keys(root)) delete root[key]
  return { path: [], line: 1 }
}

function at(root: unknown, path: Path): unknown {
  let value = root
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step]
    else if (isObject(value) && typeof step === 'string') value = value[step]
    else return undefined
  }
  return value
}

/** Turns the tree into plain values and remembers on which line each of them stands. */
class Lines {
  readonly #starts: number[] = [0]

  constructor(source: string) {
    for (let index = source.indexOf('\n'); index !== -1; index = source.indexOf('\n', index + 1))
      this.#starts.push(index + 1)
  }

  valueOf(node: Node): unknown {
    if (node.type === 'array') {
      const children = node.children ?? []
      const values = children.map((child) => this.valueOf(child))
      lineNumbers.set(
        values,
        children.map((child) => this.#line(child.offset)),
      )
      return values
    }
    if (node.type !== 'object') return node.value
    const object: Record<string, unknown> = {}
    const numbers = new Map<string, number>()
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? []
      if (key === undefined || value === undefined) continue
      const name = String(key.value)
      // Not an assignment: `__proto__` is a key like any other.
      Object.defineProperty(object, name, {
        value: this.valueOf(value),
        enumerable: true,
        configurable: true,
        writable: true,
      })
      numbers.set(name, this.#line(key.offset))
    }
    lineNumbers.set(object, numbers)
    return object
  }

  /** The line of the nearest thing on the path that has one. */
  of(root: unknown, path: Path): number {
    for (let length = path.length; length > 0; length -= 1) {
      const parent = at(root, path.slice(0, length - 1))
      const step = path[length - 1]
      const numbers = typeof parent === 'object' && parent !== null ? lineNumbers.get(parent) : undefined
      const line =
        numbers instanceof Map ? numbers.get(String(step)) : typeof step === 'number' ? numbers?.[step] : undefined
      if (line !== undefined) return line
    }
    return 1
  }

  #line(offset: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

function unknownKey(path: Path, key: string): string {
  const near = nearest(key, knownKeys(path))
  return near === undefined ? `"${key}" is not a setting.` : `"${key}" is not a setting. Did you mean "${near}"?`
}

/** The keys of the schema at a path, as far as it can be followed. */
function knownKeys(path: Path): string[] {
  let shape: unknown = SettingsFile
  for (const step of path) shape = childSchema(unwrap(shape), step)
  const object = unwrap(shape)
  return isObject(object) && isObject(object.shape) ? Object.keys(object.shape) : []
}

function unwrap(schema: unknown): unknown {
  let current = schema
  while (isSchema(current) && typeof current.unwrap === 'function') current = current.unwrap()
  return current
}

function childSchema(schema: unknown, step: string | number): unknown {
  if (!isObject(schema)) return undefined
  if (isObject(schema.shape)) return schema.shape[step]
  return schema.element ?? schema.valueType
}

function isSchema(value: unknown): value is { unwrap?: () => unknown } {
  return typeof value === 'object' && value !== null && 'unwrap' in value
}

function nearest(word: string, words: readonly string[]): string | undefined {
  const close = words
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((entry) => entry.distance <= MAX_SLIP)
    .sort((first, second) => first.distance - second.distance)
  return close[0]?.candidate
}

function distance(first: string, second: string): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (let i = 1; i <= first.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= second.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (first[i - 1] === second[j - 1] ? 0 : 1)
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[second.length] ?? 0
}

/** `permissions.deny[2]`, as people write it. */
export function printPath(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
}

function words(code: string): string {
  const spaced = code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
