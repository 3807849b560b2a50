import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { applyEdits, findNodeAtLocation, type JSONPath, modify, type ParseError, parseTree } from 'jsonc-parser'
import type { SettingsIssue, VisibleSettings } from '../../preload/contract/settings'
import type { Disposer } from '../platform/disposer'
import { isSystemError, PlumblineError } from '../platform/errors'
import { ensureHome, managedSettingsFile } from './home'
import {
  type ResolvedSettings,
  resolveLayers,
  restrictProject,
  type SettingsLayer,
  type SettingsSource,
} from './layers'
import { type ParsedSettings, parseSettings } from './parse'
import { SettingsFile, type SettingsValues } from './schema'
import { readIfThere, saveText } from './state-file'

/** Editors write a file in several steps. */
const SETTLE_MS = 100

/** A settings file is written by hand. */
const MAX_FILE_BYTES = 4 * 1024 * 1024

export interface SettingsOptions {
  home: string
  /** Whether a project's own file counts. */
  trust: { isTrusted(folder: string): Promise<boolean> }
  /** `--settings FILE`, absolute. */
  settingsFile?: string
  /** What the command line sets, such as the mode. */
  commandLine?: SettingsFile
  /** Null for none; by default where the system keeps such files. */
  managedFile?: string | null
}

/** One change of the person's file; `undefined` takes the key out. */
export interface SettingsEdit {
  path: JSONPath
  value: unknown
}

interface ReadFile extends ParsedSettings {
  stamp: string
}

/**
 * The layered configuration: defaults, the person's file, the trusted project's files, `--settings`, the command line,
 * the administrator's file; later ones win. Faults are reported with file, line and key, and never stop anything.
 */
export class Settings {
  /** The person's own file. */
  readonly file: string
  readonly #options: SettingsOptions
  readonly #cache = new Map<string, ReadFile>()
  readonly #listeners = new Set<(values: SettingsValues) => void>()
  #current: ResolvedSettings = resolveLayers([], [])
  #watcher: FSWatcher | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<unknown> = Promise.resolve()

  constructor(options: SettingsOptions) {
    this.#options = options
    this.file = path.join(options.home, 'settings.json')
  }

  /** Reads everything but projects. Throws `not_found` when the file of `--settings` is missing. */
  async load(): Promise<void> {
    await ensureHome(this.#options.home)
    const { settingsFile } = this.#options
    if (settingsFile !== undefined && (await stampOf(settingsFile)) === 'none') {
      throw new PlumblineError('not_found', `The settings file ${settingsFile} does not exist.`)
    }
    await this.#reload()
  }

  /** What is in force outside of any project. */
  get values(): SettingsValues {
    return this.#current.values
  }

  get issues(): readonly SettingsIssue[] {
    return this.#current.issues
  }

  /** What is in force in a folder: with its `.plumbline/settings.json` and `settings.local.json` when it is trusted. */
  async forProject(folder: string): Promise<ResolvedSettings> {
    if (!(await this.#options.trust.isTrusted(folder))) return this.#resolve([])
    const files = ['settings.json', 'settings.local.json'].map((name) => path.join(folder, '.plumbline', name))
    // In the person's own folder the project's file is the person's file.
    return this.#resolve(files.filter((file) => path.resolve(file) !== path.resolve(this.file)))
  }

  /** Calls the listener whenever the values change, by `update` or in the file. Watches from the first listener on. */
  onChange(listener: (values: SettingsValues) => void): Disposer {
    this.#listeners.add(listener)
    this.#watch()
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /**
   * Changes the person's file and keeps its comments and order. Throws `settings_invalid` for a value that does not
   * fit, and for a file that has to be mended by hand first; nothing is written then.
   */
  update(edits: readonly SettingsEdit[]): Promise<void> {
    return this.#change(async () => edits)
  }

  /** The part that the window shows and changes, with everything that is wrong in the files. */
  async read(): Promise<{ values: VisibleSettings; issues: SettingsIssue[]; file: string }> {
    await this.#reload()
    return { values: this.visible(), issues: [...this.issues], file: this.file }
  }

  /** Calls the listener when the part that the window shows has changed. */
  onVisibleChange(listener: (values: VisibleSettings) => void): Disposer {
    let last = JSON.stringify(this.visible())
    return this.onChange(() => {
      const now = this.visible()
      if (JSON.stringify(now) === last) return
      last = JSON.stringify(now)
      listener(now)
    })
  }

  /** The part that the window shows. */
  visible(): VisibleSettings {
    const { theme, toolset, mode, sandbox, fontSize } = this.values
    return { theme, toolset, mode, sandbox: sandbox.tier, fontSize }
  }

  async updateVisible(patch: Partial<VisibleSettings>): Promise<VisibleSettings> {
    const edits = Object.entries(patch)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]): SettingsEdit => ({ path: key === 'sandbox' ? ['sandbox', 'tier'] : [key], value }))
    await this.update(edits)
    return this.visible()
  }

  /** Adds a permission rule to the person's file; one that is there already is not added again. */
  addRule(kind: 'allow' | 'ask' | 'deny', text: string): Promise<void> {
    return this.#change(async () => {
      const known = (await this.#ownRules(kind)).includes(text)
      return known ? [] : [{ path: ['permissions', kind, -1], value: text }]
    })
  }

  /** Takes a rule out of the person's file. Throws `not_found` when it is not there. */
  removeRule(kind: 'allow' | 'ask' | 'deny', text: string): Promise<void> {
    return this.#change(async () => {
      const index = (await this.#ownRules(kind)).indexOf(text)
      if (index === -1) throw new PlumblineError('not_found', `${this.file} has no ${kind} rule ${text}.`)
      return [{ path: ['permissions', kind, index], value: undefined }]
    })
  }

  async dispose(): Promise<void> {
    this.#watcher?.close()
    this.#watcher = undefined
    clearTimeout(this.#timer)
    this.#listeners.clear()
    await this.#writing.catch(() => undefined)
  }

  /** One change after the other: what an edit depends on is read when its turn has come. */
  #change(edits: () => Promise<readonly SettingsEdit[]>): Promise<void> {
    const result = this.#writing
      .catch(() => undefined)
      .then(async () => {
        const wanted = await edits()
        if (wanted.length > 0) await this.#write(wanted)
      })
    this.#writing = result
    return result
  }

  /** The list as the file has it, faulty entries included, so that positions are right. */
  async #ownRules(kind: 'allow' | 'ask' | 'deny'): Promise<unknown[]> {
    const tree = parseTree((await readIfThere(this.file)) ?? '', [], {
      allowTrailingComma: true,
      allowEmptyContent: true,
    })
    const list = tree === undefined ? undefined : findNodeAtLocation(tree, ['permissions', kind])
    return (list?.children ?? []).map((child): unknown => child.value)
  }

  async #write(edits: readonly SettingsEdit[]): Promise<void> {
    const before = (await readIfThere(this.file)) ?? ''
    const errors: ParseError[] = []
    parseTree(before.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true, allowEmptyContent: true })
    if (errors.length > 0) {
      const line = parseSettings(this.file, before).issues[0]?.line ?? 1
      throw new PlumblineError(
        'settings_invalid',
        `${this.file}, line ${line}: not valid JSON. Nothing was changed; mend the file first.`,
      )
    }
    const known = new Set(parseSettings(this.file, before).issues.map((issue) => issue.key))
    let text = before.trim() === '' ? '{}\n' : before
    for (const { path: at, value } of edits) {
      text = applyEdits(
        text,
        modify(text, at, value, { formattingOptions: { tabSize: 2, insertSpaces: true, eol: '\n' } }),
      )
    }
    const fresh = parseSettings(this.file, text).issues.find((issue) => !known.has(issue.key))
    if (fresh !== undefined)
      throw new PlumblineError('settings_invalid', `${fresh.key}: ${fresh.message} Nothing was changed.`)
    await ensureHome(this.#options.home)
    await saveText(this.file, text)
    await this.#reload()
  }

  async #reload(): Promise<void> {
    const before = JSON.stringify(this.#current.values)
    this.#current = await this.#resolve([])
    if (JSON.stringify(this.#current.values) === before) return
    for (const listener of this.#listeners) listener(this.#current.values)
  }

  async #resolve(projectFiles: readonly string[]): Promise<ResolvedSettings> {
    const { settingsFile, commandLine, managedFile = managedSettingsFile() } = this.#options
    const layers: SettingsLayer[] = []
    const issues: SettingsIssue[] = []
    const add = async (source: SettingsSource, file: string) => {
      const parsed = await this.#read(file)
      issues.push(...parsed.issues)
      const values = source === 'project' ? restricted(file, parsed, issues) : parsed.values
      layers.push({ source, file, values })
    }
    await add('user', this.file)
    for (const file of projectFiles) await add('project', file)
    if (settingsFile !== undefined) await add('settings-file', settingsFile)
    if (commandLine !== undefined) layers.push({ source: 'command-line', values: SettingsFile.parse(commandLine) })
    if (managedFile !== null) await add('managed', managedFile)
    return resolveLayers(layers, issues)
  }

  /** A file that did not change is not read again. */
  async #read(file: string): Promise<ParsedSettings> {
    const stamp = await stampOf(file)
    const cached = this.#cache.get(file)
    if (cached?.stamp === stamp) return cached
    const parsed = await readSettings(file)
    this.#cache.set(file, { ...parsed, stamp })
    return parsed
  }

  #watch(): void {
    if (this.#watcher !== undefined) return
    try {
      this.#watcher = watch(this.#options.home, { persistent: false }, (_event, name) => {
        if (name === null || name === path.basename(this.file)) this.#soon()
      })
      this.#watcher.on('error', () => this.#watcher?.close())
    } catch (thrown) {
      // Out of watches, or a file system without them: changes from outside count after the next start.
      if (!isSystemError(thrown)) throw thrown
    }
  }

  #soon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#reload().catch(() => undefined)
    }, SETTLE_MS)
    this.#timer.unref()
  }
}

function restricted(file: string, parsed: ParsedSettings, issues: SettingsIssue[]): SettingsFile {
  return restrictProject(parsed.values, (key, message) => issues.push({ file, line: parsed.lineOf(key), key, message }))
}

async function readSettings(file: string): Promise<ParsedSettings> {
  const failed = (message: string): ParsedSettings => ({
    values: {},
    issues: [{ file, line: 1, key: '', message }],
    lineOf: () => 1,
  })
  try {
    const { size } = await stat(file)
    if (size > MAX_FILE_BYTES) return failed('The file is over 4 MB and is ignored.')
    return parseSettings(file, (await readIfThere(file)) ?? '')
  } catch (thrown) {
    if (isSystemError(thrown) && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR'))
      return { values: {}, issues: [], lineOf: () => 1 }
    return failed(`The file can't be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
}

async function stampOf(file: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file)
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`
  } catch (thrown) {
    if (isSystemError(thrown)) return thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR' ? 'none' : thrown.code
    throw thrown
  }
}
