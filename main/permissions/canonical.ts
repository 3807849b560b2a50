import type { ToolsetName } from '../../preload/contract/ids'
import type { CanonicalKind } from './types'

/** Ids that mean the same in every toolset, by tool name (PERM-34). A toolset's own entry goes before the shared one. */
const SHARED: Readonly<Record<string, string>> = {
  read: 'file.read',
  list_files: 'file.list',
  ls: 'file.list',
  find: 'file.find',
  glob: 'file.find',
  grep: 'file.search',
  search: 'file.search',
  ast_grep: 'file.ast',
  view_image: 'file.view',
  git_info: 'git.info',
  write: 'file.write',
  edit: 'file.edit',
  hash_edit: 'file.edit',
  notebook_edit: 'file.notebook',
  undo: 'file.undo',
  bash: 'shell.run',
  shell: 'shell.run',
  cmd: 'shell.run',
  powershell: 'shell.powershell',
  repl: 'shell.repl',
  test_run: 'shell.test',
  format: 'shell.format',
  kill: 'task.kill',
  task_list: 'task.list',
  task_get: 'task.get',
  task_output: 'task.output',
  task_wait: 'task.wait',
  task_create: 'task.create',
  task_update: 'task.update',
  task_stop: 'task.stop',
  sleep: 'session.sleep',
  web: 'web.open',
  fetch: 'web.fetch',
  web_fetch: 'web.fetch',
  web_search: 'web.search',
  remote_trigger: 'web.trigger',
}

/** The id of a tool that rules may name in every toolset; a tool without a counterpart is `TOOLSET.NAME`. */
export function canonicalOf(toolset: ToolsetName, tool: string): string {
  return Object.hasOwn(SHARED, tool) ? (SHARED[tool] ?? tool) : `${toolset}.${tool}`
}

/** What a tool of this id does, for the modes. */
export function kindOf(canonical: string): CanonicalKind {
  if (/^file\.(write|edit|notebook|undo)$/.test(canonical)) return 'edit'
  if (/^(file|git)\./.test(canonical)) return 'read'
  if (/^shell\./.test(canonical)) return 'shell'
  if (/^web\./.test(canonical)) return 'network'
  return 'other'
}
