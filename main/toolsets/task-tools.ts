import { z } from 'zod'
import type { BackgroundTasks, TaskView } from '../execution/background-tasks'
import { type CallContext, defineTool, type RegisteredTool, type Tool } from './define'

/** What the task tools of all toolsets are made of. */
export interface TaskEngines {
  readonly tasks: BackgroundTasks
}

const LINES = 50
const MAX_LINES = 10_000
const WAIT_SECONDS = 300
const MAX_WAIT_SECONDS = 1_800

const id = z.string().min(1).max(64)

/** A tool without files or hosts whose preparation is its arguments. */
function plainTool<Args>(
  tool: Pick<Tool<Args, Args, unknown>, 'name' | 'title' | 'description' | 'args' | 'approval' | 'subject'> & {
    limitMs?: null
    run(args: Args, call: CallContext): Promise<{ text: string; details: unknown }>
  },
): RegisteredTool {
  return defineTool<Args, Args, unknown>({
    ...tool,
    targets: async () => [],
    prepare: async (args) => ({ effect: args, preview: { kind: 'text', text: `${tool.name} ${tool.subject(args)}` } }),
    act: async (args, call) => {
      const { text, details } = await tool.run(args, call)
      return { content: [{ type: 'text', text }], details }
    },
  })
}

/** SHELL-24, SHELL-25: stops an owned background command and tells what came of it. */
export function killTool({ tasks }: TaskEngines): RegisteredTool {
  return plainTool({
    name: 'kill',
    title: 'Stop task',
    description:
      'Stops a background command of this session. `id` is the task id that `bash` returned, not a process number.',
    args: z.strictObject({ id }),
    approval: 'never',
    limitMs: null,
    subject: (args) => args.id,
    run: async (args, call) => {
      const receipt = await tasks.stop(call.session.id, args.id)
      return { text: JSON.stringify(receipt), details: receipt }
    },
  })
}

/** TASK-03 to TASK-06: `task_list`, `task_get`, `task_output`, `task_wait`. They only watch. */
export function taskWatchTools({ tasks }: TaskEngines): RegisteredTool[] {
  return [
    plainTool({
      name: 'task_list',
      title: 'List tasks',
      description: 'Lists the background tasks of this session with id, type, status and running time.',
      args: z.strictObject({}),
      approval: 'never',
      subject: () => '',
      run: async (_args, call) => {
        const list = tasks.list(call.session.id)
        return {
          text: list.length === 0 ? 'No background tasks.' : list.map(rowOf).join('\n'),
          details: { tasks: list },
        }
      },
    }),
    plainTool({
      name: 'task_get',
      title: 'Show task',
      description: 'Shows one background task.',
      args: z.strictObject({ task_id: id }),
      approval: 'never',
      subject: (args) => args.task_id,
      run: async (args, call) => {
        const task = tasks.get(call.session.id, args.task_id)
        return { text: describe(task), details: { task } }
      },
    }),
    plainTool({
      name: 'task_output',
      title: 'Read task output',
      description: `Reads the end of a task's output: the last \`lines\`, ${LINES} by default.`,
      args: z.strictObject({ task_id: id, lines: z.number().int().min(1).max(MAX_LINES).optional() }),
      approval: 'never',
      subject: (args) => args.task_id,
      run: async (args, call) => outputOf(tasks, call, args.task_id, args.lines ?? LINES),
    }),
    plainTool({
      name: 'task_wait',
      title: 'Wait for task',
      description: `Waits until a task has ended, at most \`timeout\` seconds (default ${WAIT_SECONDS}, at most ${MAX_WAIT_SECONDS}), then returns its status and output. Never stops it.`,
      args: z.strictObject({ task_id: id, timeout: z.number().min(0).max(MAX_WAIT_SECONDS).optional() }),
      approval: 'never',
      limitMs: null,
      subject: (args) => args.task_id,
      run: async (args, call) => {
        const task = await tasks.wait(call.session.id, args.task_id, (args.timeout ?? WAIT_SECONDS) * 1000, call.signal)
        const output = await outputOf(tasks, call, args.task_id, LINES)
        return { text: `${rowOf(task)}\n${output.text}`, details: { task } }
      },
    }),
  ]
}

/** TASK-07 to TASK-09: `task_create`, `task_update`, `task_stop`, as o4 has them. */
export function taskChangeTools({ tasks }: TaskEngines): RegisteredTool[] {
  return [
    plainTool({
      name: 'task_create',
      title: 'Register task',
      description: 'Registers a new background task entry; its state is changed with `task_update`.',
      args: z.strictObject({ description: z.string().min(1).max(2_000) }),
      approval: 'always',
      subject: (args) => args.description,
      run: async (args, call) => {
        const task = tasks.register(call.session.id, args.description)
        return { text: rowOf(task), details: { task } }
      },
    }),
    plainTool({
      name: 'task_update',
      title: 'Change task',
      description:
        "Changes a task's state: start, pause, resume, complete, fail, kill or notify. `message` is kept as a note.",
      args: z.strictObject({
        task_id: id,
        action: z.enum(['start', 'pause', 'resume', 'complete', 'fail', 'kill', 'notify']),
        message: z.string().max(2_000).optional(),
      }),
      approval: 'always',
      limitMs: null,
      subject: (args) => `${args.action} ${args.task_id}`,
      run: async (args, call) => {
        const task = await tasks.update(call.session.id, args.task_id, args.action, args.message)
        return { text: rowOf(task), details: { task } }
      },
    }),
    plainTool({
      name: 'task_stop',
      title: 'Stop task',
      description: 'Stops a running background task with everything it started.',
      args: z.strictObject({ task_id: id }),
      approval: 'always',
      limitMs: null,
      subject: (args) => args.task_id,
      run: async (args, call) => {
        const receipt = await tasks.stop(call.session.id, args.task_id)
        return { text: JSON.stringify(receipt), details: receipt }
      },
    }),
  ]
}

async function outputOf(tasks: BackgroundTasks, call: CallContext, task: string, lines: number) {
  const { text, total } = tasks.output(call.session.id, task, lines)
  const shown = text === '' ? 0 : text.split('\n').length
  const note = shown < total ? `[last ${shown} of ${total} lines]\n` : ''
  return {
    text: total === 0 ? '(no output yet)' : `${note}${text}`,
    details: { task: tasks.get(call.session.id, task), total },
  }
}

/** One line: id, type, status, running time, what it is. */
function rowOf(task: TaskView): string {
  return `${task.id}  ${task.type}  ${task.state}  ${(task.ms / 1000).toFixed(1)} s  ${task.title.split('\n', 1)[0] ?? ''}`
}

function describe(task: TaskView): string {
  const lines = [rowOf(task)]
  if (task.exitCode !== null || task.signal !== null)
    lines.push(
      `[${[task.exitCode === null ? '' : `exit ${task.exitCode}`, task.signal ?? ''].filter((part) => part !== '').join(', ')}]`,
    )
  if (task.outputPath !== undefined) lines.push(`Full output: ${task.outputPath}`)
  return [...lines, ...task.notes.map((note) => `note: ${note}`)].join('\n')
}
