import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Files of one copy at most: what a medium project has. */
const MEDIUM = 10_000

/** Larger files are left out: every side has a limit of its own there. Bytes. */
const MAX_FILE = 1024 * 1024

/** Sources at most, and the bytes of one: few nodes, so that no limit cuts a comparison short. */
const MAX_SOURCES = 3_000
const MAX_SOURCE = 16 * 1024

export const SIZES = { small: 1_000, medium: MEDIUM, large: 6 * MEDIUM } as const
export type SizeName = keyof typeof SIZES

export interface Corpus {
  readonly folder: string
  readonly files: number
  readonly bytes: number
}

/**
 * A folder of text files taken from the installed packages, made once and kept between runs. The large one holds the
 * medium one six times, by hard links.
 */
export async function corpus(root: string, size: SizeName): Promise<Corpus> {
  const folder = path.join(tmpdir(), `plumbline-bench-search-${size}`)
  const facts = path.join(tmpdir(), `plumbline-bench-search-${size}.json`)
  const known = await readFile(facts, 'utf8').catch(() => undefined)
  if (known !== undefined && (await stat(folder).catch(() => undefined)) !== undefined) return JSON.parse(known)
  const temporary = `${folder}.making`
  await rm(temporary, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
  const made =
    size === 'large'
      ? await multiply(await corpus(root, 'medium'), temporary)
      : await collect(root, temporary, SIZES[size])
  // Programs that honour ignore files in checkouts only must do so here.
  await mkdir(path.join(temporary, '.git'))
  await rename(temporary, folder)
  const answer = { folder, ...made }
  await writeFile(facts, JSON.stringify(answer))
  return answer
}

/** Sources in TypeScript and JavaScript that are small enough for every limit of a syntax search. */
export async function sources(root: string): Promise<Corpus> {
  const folder = path.join(tmpdir(), 'plumbline-bench-search-sources')
  const from = (await corpus(root, 'medium')).folder
  await rm(folder, { recursive: true, force: true })
  let files = 0
  let bytes = 0
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.[cm]?[jt]sx?$/.test(entry.name) || files >= MAX_SOURCES) continue
    const file = path.join(entry.parentPath, entry.name)
    const { size } = await stat(file)
    if (size > MAX_SOURCE) continue
    const target = path.join(folder, path.relative(from, file))
    await mkdir(path.dirname(target), { recursive: true })
    await link(file, target)
    files += 1
    bytes += size
  }
  return { folder, files, bytes }
}

async function collect(root: string, to: string, wanted: number): Promise<{ files: number; bytes: number }> {
  const packages = path.join(root, 'node_modules')
  const entries = await readdir(packages, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(packages, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.split(path.sep).some((part) => part.startsWith('.') || part === 'node_modules'))
    .sort()
  const every = Math.max(1, names.length / wanted)
  let files = 0
  let bytes = 0
  for (let at = 0; at < names.length && files < wanted; at += every) {
    const name = names[Math.floor(at)]
    if (name === undefined) break
    const source = path.join(packages, name)
    const content = await readFile(source)
    if (content.length > MAX_FILE || content.includes(0)) continue
    const target = path.join(to, name)
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(source, target)
    files += 1
    bytes += content.length
  }
  return { files, bytes }
}

async function multiply(medium: Corpus, to: string): Promise<{ files: number; bytes: number }> {
  const entries = (await readdir(medium.folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  for (let copy = 1; copy <= 6; copy += 1) {
    for (const entry of entries) {
      const target = path.join(to, `part-${copy}`, path.relative(medium.folder, entry.parentPath), entry.name)
      await mkdir(path.dirname(target), { recursive: true })
      await link(path.join(entry.parentPath, entry.name), target)
    }
  }
  return { files: medium.files * 6, bytes: medium.bytes * 6 }
}
