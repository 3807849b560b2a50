import type { PermissionEntry } from '../../../preload/contract/permissions'

const order: readonly PermissionEntry['kind'][] = ['deny', 'ask', 'allow']

/** Rules as they are judged: denials first, then questions, then allowances; within each in the order they came. */
export function rulesInOrder(entries: readonly PermissionEntry[]): PermissionEntry[] {
  return order.flatMap((kind) => entries.filter((entry) => entry.kind === kind))
}

/** Whether it can be taken back here: grants of the session, and rules of the person's own file. */
export function isRemovable(entry: PermissionEntry): boolean {
  return entry.kind === 'grant' || entry.source === 'user'
}
