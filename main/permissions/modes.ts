import path from 'node:path'
import type { ApprovalLevel, Touch } from '../../preload/contract/effects'
import type { PermissionMode } from '../../preload/contract/ids'
import { installRisk } from './installs'
import type { ModeCall, ModeVerdict } from './types'

/** Folders whose contents run or decide later: edits there are never waved through (contracts 1.4). */
const PROTECTED_FOLDERS = new Set([
  '.git',
  '.plumbline',
  '.o4',
  '.atomic',
  '.magi',
  '.vscode',
  '.idea',
  '.husky',
  '.claude',
  '.codex',
])

/** Files of that kind. */
const PROTECTED_FILES = new Set([
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.inputrc',
  '.mcp.json',
  '.envrc',
  '.gitconfig',
  '.gitmodules',
  '.npmrc',
  'config.fish',
])

/** Offered in plan mode although their level is not "never"; they ask as ever (decision 8). */
const PLAN_ASKS = new Set(['fetch', 'task_create', 'task_update', 'plan_create', 'plan_modify', 'plan_status'])

/**
 * What a mode says to a call that no rule, hook or grant has decided (PERM-01, PERM-03 to PERM-08). Pure. Where nobody
 * is there, "ask" ends as a denial; that is the asker's part. `review` asks the person.
 */
export function modeDefault(mode: PermissionMode, level: ApprovalLevel, call: ModeCall): ModeVerdict {
  if (mode === 'bypass') return 'go'
  if (mode === 'plan') return planDefault(level, call)
  if (level === 'never') return call.touches.some((touch) => touch.outside === true) && mode !== 'auto' ? 'ask' : 'go'
  if (mode === 'auto') return autoDefault(call)
  if (mode === 'accept-edits' && call.canonicalKind === 'edit' && isPlainEdit(call)) return 'go'
  return 'ask'
}

/** Whether a path is one whose change would act later, outside of what the person watches. */
export function isProtectedPath(absolute: string): boolean {
  const parts = absolute.split(/[/\\]/).map((part) => part.toLowerCase())
  return parts.some((part) => PROTECTED_FOLDERS.has(part)) || PROTECTED_FILES.has(parts.at(-1) ?? '')
}

function planDefault(level: ApprovalLevel, call: ModeCall): ModeVerdict {
  if (level === 'never') return call.touches.some((touch) => touch.outside === true) ? 'ask' : 'go'
  if (PLAN_ASKS.has(call.tool)) return 'ask'
  return {
    refuse: `${call.tool} is not available in plan mode: it only looks and plans. Leave plan mode to make changes.`,
  }
}

function autoDefault(call: ModeCall): ModeVerdict {
  if (call.canonicalKind !== 'shell') return 'go'
  if (call.unsandboxed === true) return 'ask'
  return call.commandLine !== undefined && installRisk(call.commandLine) !== undefined ? 'ask' : 'go'
}

function isPlainEdit(call: ModeCall): boolean {
  const changes = call.touches.filter((touch) => touch.kind === 'write' || touch.kind === 'delete')
  return changes.length > 0 && changes.every((touch) => isPlain(touch, call.roots))
}

function isPlain(touch: Touch, roots: readonly string[]): boolean {
  const spellings = touch.given === undefined ? [touch.target] : [touch.target, touch.given]
  if (touch.outside === true || spellings.some(isProtectedPath)) return false
  return roots.some((root) => {
    const relative = path.relative(root, touch.target)
    return root !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
  })
}
