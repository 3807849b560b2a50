import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { ModelRef, PermissionMode, SandboxTier, ToolsetName } from '../../preload/contract/ids'
import { SessionSummary } from '../../preload/contract/session'
import { itemAt, type SessionState } from '../../preload/contract/session-state'
import { writeAtomically } from './file-operations'
import { parseLine, readLineAt } from './journal-lines'
import type { SessionPaths } from './session-paths'

/** What is in force, for a last screen that must not wait for the whole journal. */
const Settings = z.object({
  title: z.string(),
  mode: PermissionMode,
  toolset: ToolsetName,
  sandbox: SandboxTier,
  model: ModelRef.nullable(),
})
const SummaryFile = z.object({ summary: SessionSummary, settings: Settings })

const Annotations = z.object({ archived: z.boolean() })
export type Annotations = z.infer<typeof Annotations>

/** The session's row in the list, out of its folded state. */
export function summarise(state: SessionState, stored: { archived: boolean }): SessionSummary {
  if (state.session === null) throw new TypeError('A session without its first event has no row')
  const changes = Object.values(state.sessionChanges)
  return {
    id: state.session,
    title: state.title,
    project: state.cwd,
    projectName: path.basename(state.cwd),
    ...activity(state),
    updatedAt: state.lastAt,
    added: changes.reduce((sum, file) => sum + file.added, 0),
    removed: changes.reduce((sum, file) => sum + file.removed, 0),
    cost: state.cost,
    archived: stored.archived,
  }
}

function activity(state: SessionState): Pick<SessionSummary, 'state' | 'detail'> {
  const [waiting] = state.waiting
  if (waiting !== undefined) {
    const item = itemAt(state, state.open[waiting] ?? -1)
    return { state: 'needs-you', detail: item?.kind === 'call' ? (item.ask?.question ?? item.title) : '' }
  }
  if (state.running !== null) return { state: 'running', detail: '' }
  const last = itemAt(state, state.length - 1)
  if (last?.kind === 'turn-end' && last.stop === 'failed') return { state: 'failed', detail: last.error?.message ?? '' }
  if (last?.kind === 'note' && last.source === 'interrupted') return { state: 'failed', detail: last.text }
  return { state: last?.kind === 'turn-end' ? 'done' : 'idle', detail: '' }
}

/** Writes the row, so that the list needs no journal. */
export async function writeSummary(paths: SessionPaths, state: SessionState): Promise<void> {
  const { title, mode, toolset, sandbox, model } = state
  const file: z.infer<typeof SummaryFile> = {
    summary: summarise(state, { archived: false }),
    settings: { title, mode, toolset, sandbox, model },
  }
  await writeAtomically(paths.summary, JSON.stringify(file))
}

/** The row as it was written last, or what the journal's first line says; null for an empty file. */
export async function readSummary(paths: SessionPaths): Promise<SessionSummary | null> {
  const { archived } = await readAnnotations(paths)
  const stored = await readSummaryFile(paths)
  if (stored !== null) return { ...stored.summary, id: paths.id, archived }
  const found = await stat(paths.journal).catch(() => undefined)
  if (found === undefined || found.size === 0) return null
  return { ...(await firstLineSummary(paths, found.mtimeMs)), archived }
}

/** The settings in force when the row was written last; null when there is none. */
export async function readSettings(paths: SessionPaths): Promise<z.infer<typeof Settings> | null> {
  return (await readSummaryFile(paths))?.settings ?? null
}

async function readSummaryFile(paths: SessionPaths): Promise<z.infer<typeof SummaryFile> | null> {
  try {
    return SummaryFile.parse(JSON.parse(await readFile(paths.summary, 'utf8')))
  } catch {
    return null
  }
}

async function firstLineSummary(paths: SessionPaths, changedAt: number): Promise<SessionSummary> {
  const line = await readLineAt(paths.journal, 0).catch(() => null)
  const event = line === null ? undefined : parseLine(line).event
  const opened = event?.type === 'session.opened' ? event : undefined
  return {
    id: paths.id,
    title: '',
    project: opened?.cwd ?? '',
    projectName: path.basename(opened?.cwd ?? ''),
    state: opened ? 'idle' : 'failed',
    detail: opened ? '' : 'The journal has no readable first line.',
    updatedAt: Math.round(changedAt),
    added: 0,
    removed: 0,
    cost: 0,
    archived: false,
  }
}

export async function readAnnotations(paths: SessionPaths): Promise<Annotations> {
  try {
    return Annotations.parse(JSON.parse(await readFile(paths.annotations, 'utf8')))
  } catch {
    return { archived: false }
  }
}

export async function writeAnnotations(paths: SessionPaths, annotations: Annotations): Promise<void> {
  await writeAtomically(paths.annotations, JSON.stringify(annotations))
}
