import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BlobSink } from '../../../main/platform/blob-sink'
import {
  DETAILS_BLOB,
  DETAILS_OMITTED,
  externalise,
  hydrate,
  KEPT_INLINE_BYTES,
} from '../../../main/sessions/externalise'
import { INLINE_TEXT_BYTES } from '../../../preload/contract/content'
import { type EventBody, SessionEvent } from '../../../preload/contract/events'
import { chained, openedBody, randomBodies } from '../../fixtures/sessions/random-events'

let kept: Map<string, Uint8Array>
let blobs: BlobSink
beforeEach(() => {
  kept = new Map()
  blobs = {
    async put(bytes) {
      const id = createHash('sha256').update(bytes).digest('hex')
      kept.set(id, bytes)
      return { id, bytes: bytes.byteLength }
    },
    async get(id) {
      return kept.get(id) ?? Promise.reject(new Error('not kept'))
    },
  }
})

const long = (mark: string, bytes = 40_000) => `${mark} ${'häßlich 😀 '.repeat(bytes / 14)} ${mark}`
const sizeOf = (body: EventBody) => Buffer.byteLength(JSON.stringify(body))

const bodies: Record<string, EventBody> = {
  prompt: { type: 'prompt', content: [{ type: 'text', text: long('prompt') }] },
  queued: { type: 'prompt.queued', entry: 'q1', kind: 'steer', content: [{ type: 'text', text: long('queued') }] },
  message: {
    type: 'assistant.message',
    model: 'work:m',
    content: [
      { type: 'text', text: long('text') },
      { type: 'reasoning', text: long('reasoning'), opaque: long('opaque') },
      { type: 'call', call: 'c1', tool: 'write', args: JSON.stringify({ content: long('args') }) },
    ],
    usage: { input: 1, output: 1 },
    stop: 'calls',
    ms: 1,
  },
  request: {
    type: 'call.requested',
    call: 'c1',
    tool: 'write',
    title: 'Write',
    subject: 'a.ts',
    args: JSON.stringify({ content: long('args') }),
  },
  result: { type: 'call.finished', call: 'c1', ok: true, content: [{ type: 'text', text: long('result') }], ms: 1 },
  compacted: { type: 'compacted', summary: long('summary'), upTo: 'e_000000' },
  reminder: { type: 'reminder.injected', text: long('reminder'), cause: 'todo' },
}

describe('long text', () => {
  it.each(Object.entries(bodies))('of a %s goes beside the journal and comes back whole', async (_name, body) => {
    const short = await externalise(body, blobs)
    expect(sizeOf(short)).toBeLessThan(INLINE_TEXT_BYTES + 2048)
    expect(SessionEvent.safeParse(chained([short])[0]).success).toBe(true)
    expect(await hydrate(short, blobs)).toEqual(body)
    // What was put aside once is not put aside again.
    expect(await externalise(short, blobs)).toEqual(short)
  })

  it('of the same arguments is kept once', async () => {
    await externalise(bodies.request ?? openedBody, blobs)
    const before = kept.size
    const message = await externalise(bodies.message ?? openedBody, blobs)
    expect(kept.size).toBe(before + 3)
    expect(JSON.stringify(message)).not.toContain('opaque häßlich')
  })

  it('keeps its first two kilobytes, cut between characters', async () => {
    for (const character of ['a', 'ß', '三', '😀']) {
      for (let shift = 1; shift <= 4; shift += 1) {
        const text = 'x'.repeat(shift) + character.repeat(INLINE_TEXT_BYTES)
        const short = await externalise({ type: 'prompt', content: [{ type: 'text', text }] }, blobs)
        const part = short.type === 'prompt' ? short.content[0] : undefined
        const inline = part?.type === 'text' ? part.text : ''
        expect(text.startsWith(inline)).toBe(true)
        expect(Buffer.from(inline).toString()).toBe(inline)
        const bytes = Buffer.byteLength(inline)
        expect(bytes).toBeLessThanOrEqual(KEPT_INLINE_BYTES)
        expect(bytes).toBeGreaterThan(KEPT_INLINE_BYTES - 4)
      }
    }
  })

  it('stays where it is up to eight kilobytes', async () => {
    const body: EventBody = { type: 'prompt', content: [{ type: 'text', text: 'x'.repeat(INLINE_TEXT_BYTES) }] }
    expect(await externalise(body, blobs)).toEqual(body)
    for (const short of randomBodies(5, 300)) expect(await externalise(short, blobs)).toEqual(short)
    expect(kept.size).toBe(0)
  })

  it('of a command or a touch leaves the event, and the approval can show all of it', async () => {
    const line = `cat <<'E'\n${long('command')}\nE`
    const short = await externalise(
      {
        type: 'call.prepared',
        call: 'c1',
        touches: [{ kind: 'run', target: line }],
        preview: { kind: 'command', line, cwd: '/project', tier: 'guarded' },
      },
      blobs,
    )
    expect(sizeOf(short)).toBeLessThan(INLINE_TEXT_BYTES)
    const blob = short.type === 'call.prepared' && short.preview?.kind === 'command' ? short.preview.blob : undefined
    expect(Buffer.from(await blobs.get(blob?.id ?? '')).toString()).toBe(line)
  })
})

describe('long details', () => {
  it('keep their small members and name the blob with all of them', async () => {
    const details = {
      exitCode: 3,
      cwd: '/project',
      output: long('output'),
      lines: Array.from({ length: 5000 }, () => 1),
    }
    const short = await externalise(
      { type: 'call.finished', call: 'c1', ok: false, content: [], details, ms: 1 },
      blobs,
    )
    expect(sizeOf(short)).toBeLessThan(INLINE_TEXT_BYTES)
    const reduced = short.type === 'call.finished' ? short.details : undefined
    expect(reduced).toMatchObject({ exitCode: 3, cwd: '/project', [DETAILS_OMITTED]: ['output', 'lines'] })
    const id = [...kept.keys()][0] ?? ''
    expect(reduced).toMatchObject({ [DETAILS_BLOB]: { id } })
    expect(JSON.parse(Buffer.from(await blobs.get(id)).toString())).toEqual(details)
  })

  it('of many members or of none are reduced too', async () => {
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`key${index}`, index]))
    for (const details of [many, Array.from({ length: 5000 }, () => 'x'), long('text')]) {
      const short = await externalise(
        { type: 'call.finished', call: 'c1', ok: true, content: [], details, ms: 1 },
        blobs,
      )
      expect(sizeOf(short)).toBeLessThan(INLINE_TEXT_BYTES)
    }
  })
})
