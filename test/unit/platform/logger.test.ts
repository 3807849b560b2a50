import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PlumblineError } from '../../../main/platform/errors'
import { Logger } from '../../../main/platform/logger'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'plumbline-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function lines(name = 'plumbline.log'): Promise<Record<string, unknown>[]> {
  const text = await readFile(path.join(folder, name), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('Logger', () => {
  it('writes JSON lines at or above its level, under the names of parts', async () => {
    const logger = new Logger({ folder, stderrLevel: null, now: () => 0 })
    logger.debug('not this')
    logger.child('providers').child('openai').info('asked', { ms: 5 })
    await logger.dispose()
    expect(await lines()).toEqual([
      { at: '1970-01-01T00:00:00.000Z', level: 'info', scope: 'providers.openai', message: 'asked', ms: 5 },
    ])
  })

  it('says warnings on standard error, in short', async () => {
    const said: string[] = []
    const logger = new Logger({ writeError: (text) => said.push(text) })
    logger.info('quiet')
    logger.child('settings').warn('line 3')
    expect(said).toEqual(['plumbline: warn: settings: line 3\n'])
  })

  it('hides secrets everywhere', async () => {
    const said: string[] = []
    const logger = new Logger({
      folder,
      redact: (text) => text.replaceAll('hunter2', '…'),
      writeError: (text) => said.push(text),
    })
    logger.error('key hunter2', { nested: { key: 'hunter2' } })
    await logger.dispose()
    expect(JSON.stringify([said, await lines()])).not.toContain('hunter2')
  })

  it('writes errors with code and survives what is no JSON', async () => {
    const logger = new Logger({ folder, stderrLevel: null })
    const circle: Record<string, unknown> = {}
    circle.self = circle
    logger.info('odd', { failure: new PlumblineError('io', 'full'), circle, none: undefined, big: 1n })
    await logger.dispose()
    expect(await lines()).toMatchObject([{ failure: { message: 'full', code: 'io' }, none: 'undefined', big: '1' }])
  })

  it('keeps the file under its size and one older one', async () => {
    const logger = new Logger({ folder, stderrLevel: null, maxFileBytes: 1000 })
    for (let number = 0; number < 60; number += 1) {
      logger.info(`line ${number} ${'x'.repeat(50)}`)
      await logger.flush()
    }
    await logger.dispose()
    expect((await readdir(folder)).sort()).toEqual(['plumbline.log', 'plumbline.log.1'])
    expect((await stat(path.join(folder, 'plumbline.log'))).size).toBeLessThanOrEqual(1000)
    expect((await lines()).at(-1)?.message).toContain('line 59')
  })

  it('stops nothing when the folder can not be made', async () => {
    await writeFile(path.join(folder, 'file'), '')
    const logger = new Logger({ folder: path.join(folder, 'file', 'logs'), stderrLevel: null })
    logger.error('lost')
    await expect(logger.dispose()).resolves.toBeUndefined()
  })
})
