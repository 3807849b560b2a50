import type { SettingsIssue } from '../../preload/contract/settings'

/** A fault of a settings file on one line: where it is, what it is, and that the rest counts. */
export function issueText({ file, line, key, message }: SettingsIssue): string {
  const detail = `${key === '' ? '' : `${key}: `}${message}`.replaceAll(/\s+/g, ' ')
  return `${file}, line ${line}: ${detail}`
}
