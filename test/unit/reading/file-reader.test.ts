import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileReader } from '../../../main/reading/file-reader'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'plumbline-reader-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function asFile(name: string) {
  const real = path.join(folder, name)
  const where = { exists: true, symlink: false, insideRoots: true, outside: false, credential: false }
  return { absolute: real, real, display: name, kind: 'file' as const, ...where }
}

describe('FileReader', () => {
  it('reads the bytes of a file', async () => {
    writeFileSync(path.join(folder, 'a.txt'), 'one')
    const { bytes } = await new FileReader().read(asFile('a.txt'), new AbortController().signal)
    expect(Buffer.from(bytes).toString()).toBe('one')
  })

  it.skipIf(process.platform === 'win32')('never waits for a pipe that took the place of a file', async () => {
    execFileSync('mkfifo', [path.join(folder, 'pipe')])
    await expect(new FileReader().read(asFile('pipe'), new AbortController().signal)).rejects.toMatchObject({
      code: 'not_a_file',
      message: 'pipe is not a regular file.',
    })
  })
})
