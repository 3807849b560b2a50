import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionScope, ToolContent, ToolResult } from './define'

/** Characters kept at each end of a text that is over its tool's cap. */
const KEPT_CHARACTERS = 10_000

/**
 * Cuts the text of a result to the tool's cap, first and last 10,000 characters with a note between, and keeps the
 * whole text in the session's folder. Where it can't be kept, the note says so and no path is named.
 */
export async function capOutput(
  result: ToolResult,
  limit: number,
  scope: Pick<SessionScope, 'toolResultsFolder'>,
  callId: string,
): Promise<ToolResult> {
  const total = result.content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  if (total <= limit) return result
  const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const kept = result.kept ?? (await keep(text, scope.toolResultsFolder, callId))
  const head = cutHead(text, Math.min(KEPT_CHARACTERS, limit / 2))
  const tail = cutTail(text, Math.min(KEPT_CHARACTERS, limit / 2))
  const where = kept ? ` Full output saved to: ${kept.path}` : ''
  const note = `[${text.length - head.length - tail.length} characters left out.${where}]`
  const content: ToolContent[] = [
    { type: 'text', text: `${head}\n\n${note}\n\n${tail}` },
    ...result.content.filter((part) => part.type !== 'text'),
  ]
  return { ...result, content, ...(kept && { kept }) }
}

async function keep(
  text: string,
  folder: string,
  callId: string,
): Promise<{ path: string; bytes: number } | undefined> {
  const name = `${callId.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 80)}.txt`
  const path = join(folder, name)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    await writeFile(path, text, { mode: 0o600 })
    return { path, bytes: Buffer.byteLength(text) }
  } catch {
    return undefined
  }
}

/** Cuts without splitting a surrogate pair. */
function cutHead(text: string, characters: number): string {
  const end = isHighSurrogate(text, characters - 1) ? characters - 1 : characters
  return text.slice(0, end)
}

function cutTail(text: string, characters: number): string {
  const start = text.length - characters
  return text.slice(isHighSurrogate(text, start - 1) ? start + 1 : start)
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 0xd800 && unit <= 0xdbff
}
