import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type InputText, inputLines } from '../../../main/terminal/input-lines'

async function linesOf(chunks: readonly Uint8Array[], maxBytes = 100): Promise<InputText[]> {
  const found: InputText[] = []
  for await (const line of inputLines(Readable.from(chunks), maxBytes)) found.push(line)
  return found
}

const bytes = (text: string) => new TextEncoder().encode(text)

describe('inputLines', () => {
  it('ends a line at a line feed only, wherever the chunks are cut', async () => {
    const text = 'a\u2028b\u2029c\rd\u0085e\n\r\nlast ä'
    const whole = [{ text: 'a\u2028b\u2029c\rd\u0085e' }, { text: '\r' }, { text: 'last ä' }]
    expect(await linesOf([bytes(text)])).toEqual(whole)
    expect(await linesOf([...bytes(text)].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
  })

  it('drops a byte order mark', async () => {
    expect(await linesOf([Uint8Array.of(0xef, 0xbb, 0xbf), bytes('{}\n')])).toEqual([{ text: '{}' }])
  })

  it('reports a line that is not UTF-8 or too long, and reads on', async () => {
    expect(await linesOf([bytes('a\n'), Uint8Array.of(0x61, 0xff, 0x0a), bytes(`${'x'.repeat(101)}\nb\n`)])).toEqual([
      { text: 'a' },
      { problem: 'not_utf8' },
      { problem: 'too_large' },
      { text: 'b' },
    ])
  })

  it('ends quietly where the stream is destroyed', async () => {
    const input = new PassThrough()
    const lines = inputLines(input, 100)
    input.write('a\n')
    expect(await lines.next()).toEqual({ done: false, value: { text: 'a' } })
    const next = lines.next()
    input.destroy()
    expect((await next).done).toBe(true)
  })
})
