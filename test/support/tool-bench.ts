import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildRules } from '../../main/permissions/rules'
import { systemClock } from '../../main/platform/clock'
import { newId } from '../../main/platform/ids'
import type { CallOutcome } from '../../main/toolsets/calls'
import type { RegisteredTool, SessionScope } from '../../main/toolsets/define'
import { SessionGrants } from '../../main/toolsets/grants'
import { noHooks } from '../../main/toolsets/hooks'
import { CallPipeline } from '../../main/toolsets/pipeline'
import { effectStages, targetStages } from '../../main/toolsets/stages'
import type { Answer, Ask, Preview } from '../../preload/contract/effects'
import type { PermissionMode, ToolsetName } from '../../preload/contract/ids'
import { MemoryBlobs } from './memory-journal'

/** What a call answered, text parts joined. */
export interface BenchAnswer extends CallOutcome {
  text: string
}

/** A project folder on disk, a home folder beside it, and a session of one toolset whose calls go through the pipeline. */
export class ToolBench {
  readonly folder: string
  readonly project: string
  readonly home: string

  private constructor(folder: string) {
    this.folder = folder
    this.project = path.join(folder, 'project')
    this.home = path.join(folder, 'home')
  }

  static async make(): Promise<ToolBench> {
    const bench = new ToolBench(await realpath(await mkdtemp(path.join(tmpdir(), 'bench-'))))
    await mkdir(bench.project)
    await mkdir(bench.home)
    return bench
  }

  /** Writes files below the project folder, with their parents. */
  async write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(this.project, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
    }
  }

  /** A session with these tools; the answer of each call is what the model would read. */
  session(
    toolset: ToolsetName,
    tools: readonly RegisteredTool[],
    narrowed = false,
    judged?: { mode: PermissionMode; answer: Answer },
  ) {
    const asked: Ask[] = []
    const prepared: (Preview | undefined)[] = []
    const grants = new SessionGrants()
    const judging = {
      rules: async () => buildRules([]),
      grants,
      home: this.home,
      findLosses: async () => ({ loses: [], total: 0 }),
    }
    const scope: SessionScope = {
      id: newId('s'),
      toolset,
      mode: judged?.mode ?? 'bypass',
      sandbox: 'off',
      cwd: this.project,
      roots: [this.project],
      narrowed,
      attended: judged !== undefined,
      blobs: new MemoryBlobs(),
      toolResultsFolder: path.join(this.folder, 'results'),
      temporaryFolder: path.join(this.folder, 'temporary'),
    }
    const pipeline = new CallPipeline({
      scope,
      find: (name) => {
        const tool = tools.find((candidate) => candidate.name === name)
        return tool === undefined ? { refusal: `No tool ${name}` } : { tool }
      },
      targetStages: judged === undefined ? [] : targetStages(judging),
      effectStages: judged === undefined ? [] : effectStages(judging),
      hooks: noHooks,
      grants,
      approver: {
        ask: async ({ ask }) => {
          asked.push(ask)
          return { answer: judged?.answer ?? 'once', by: 'person' }
        },
      },
      addRule: async () => undefined,
      emit: (event) => {
        if (event.type === 'call.prepared') prepared.push(event.preview)
      },
      clock: systemClock,
    })
    let next = 1
    const readable = (outcome: CallOutcome): BenchAnswer => ({
      ...outcome,
      text: outcome.content.map((part) => (part.type === 'text' ? part.text : `<${part.mimeType}>`)).join('\n'),
    })
    const call = async (tool: string, value: unknown, signal = new AbortController().signal): Promise<BenchAnswer> => {
      const [outcome] = await pipeline.run([{ id: `c${next++}`, tool, args: { value } }], signal)
      if (outcome === undefined) throw new Error('The pipeline gave no answer')
      return readable(outcome)
    }
    /** Calls of one turn, run side by side. */
    const batch = async (...calls: [tool: string, value: unknown][]): Promise<BenchAnswer[]> => {
      const requests = calls.map(([tool, value]) => ({ id: `c${next++}`, tool, args: { value } }))
      return (await pipeline.run(requests, new AbortController().signal)).map(readable)
    }
    return { id: scope.id, scope, call, batch, asked, prepared }
  }

  async dispose(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}
