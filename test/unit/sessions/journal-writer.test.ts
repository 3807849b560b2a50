import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JournalFile } from '../../../main/sessions/file-operations'
import { JournalWriter, SYNC_DELAY_MS } from '../../../main/sessions/journal-writer'

/** A disk in memory that can be full, or refuse to flush. */
class FakeFile implements JournalFile {
  content = Buffer.alloc(0)
  durable = 0
  capacity = Number.POSITIVE_INFINITY
  refuseFlush = false
  writes = 0
  syncs = 0

  async write(bytes: Uint8Array, position: number): Promise<void> {
    this.writes += 1
    const room = Math.max(0, this.capacity - position)
    this.content = Buffer.concat([this.content.subarray(0, position), bytes.subarray(0, room)])
    if (room < bytes.byteLength)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  async datasync(): Promise<void> {
    if (this.refuseFlush) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
    this.syncs += 1
    this.durable = this.content.byteLength
  }
  async truncate(length: number): Promise<void> {
    this.content = this.content.subarray(0, length)
  }
  async size(): Promise<number> {
    return this.content.byteLength
  }
  async close(): Promise<void> {}
}

let file: FakeFile
beforeEach(() => {
  file = new FakeFile()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the journal writer', () => {
  it('writes in order what is taken in one go, with one write and one flush', async () => {
    const writer = new JournalWriter(file, 0)
    const offsets = ['one', 'zwei', '三'].map((line) => writer.enqueue(line))
    expect(offsets).toEqual([0, 4, 9])
    expect(file.writes).toBe(0)
    await writer.flush()
    expect(file.content.toString()).toBe('one\nzwei\n三\n')
    expect(file).toMatchObject({ writes: 1, syncs: 1, durable: writer.end })
  })

  it('flushes by itself after a moment, once for all', async () => {
    vi.useFakeTimers()
    const writer = new JournalWriter(file, 0)
    writer.enqueue('one')
    await vi.advanceTimersByTimeAsync(1)
    expect(file).toMatchObject({ writes: 1, syncs: 0 })
    writer.enqueue('two')
    await vi.advanceTimersByTimeAsync(SYNC_DELAY_MS * 3)
    expect(file.durable).toBe(8)
    expect(file.syncs).toBeLessThanOrEqual(2)
  })

  it('says that the disk is full, saves nothing half, and goes on when there is room', async () => {
    const failures: string[] = []
    const writer = new JournalWriter(file, 0, { onFailure: (failure) => failures.push(failure.message) })
    writer.enqueue('first')
    await writer.flush()
    file.capacity = 10
    writer.enqueue('second')
    writer.enqueue('third')
    await expect(writer.flush()).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/^The disk is full\. The last 2 events are not saved/),
    })
    expect(file.content.toString()).toBe('first\n')
    expect(failures).toHaveLength(1)
    expect(() => writer.enqueue('fourth')).toThrow(/The disk is full/)
    file.capacity = Number.POSITIVE_INFINITY
    await writer.flush()
    expect(writer.failure).toBeNull()
    writer.enqueue('fourth')
    await writer.close()
    expect(file.content.toString()).toBe('first\nsecond\nthird\nfourth\n')
  })

  it('does not call saved what could not be flushed', async () => {
    const writer = new JournalWriter(file, 0)
    file.refuseFlush = true
    writer.enqueue('one')
    await expect(writer.close()).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('EIO') })
    expect(file.content.byteLength).toBe(0)
  })

  it('takes nothing more when the disk is too far behind, and again when it has caught up', async () => {
    const writer = new JournalWriter(file, 0, { maxQueuedBytes: 100 })
    writer.enqueue('x'.repeat(90))
    const before = writer.end
    expect(() => writer.enqueue('y'.repeat(20))).toThrow(expect.objectContaining({ code: 'limit_exceeded' }))
    expect(writer.end).toBe(before)
    await writer.flush()
    writer.enqueue('y'.repeat(20))
    await writer.flush()
    expect(file.content.byteLength).toBe(112)
  })

  it('overwrites nothing that another program put there', async () => {
    const writer = new JournalWriter(file, 0)
    writer.enqueue('mine')
    await writer.flush()
    file.content = Buffer.concat([file.content, Buffer.from('theirs\n')])
    writer.enqueue('mine too')
    await expect(writer.flush()).rejects.toMatchObject({ code: 'conflict' })
    expect(file.content.toString()).toBe('mine\ntheirs\n')
  })
})
