import { randomBytes } from 'node:crypto'

let lastStamp = 0
let sequence = 0

/**
 * A new id, `prefix_` and lower-case base 36: sorts by creation within a process and does not clash between
 * processes. Fits `SessionId`, `EventId` and `TerminalId`.
 */
export function newId(prefix: 's' | 'e' | 't' | 'q' | 'u'): string {
  const now = Date.now()
  if (now > lastStamp) {
    lastStamp = now
    sequence = 0
  } else {
    sequence += 1
  }
  const random = randomBytes(5).readUIntBE(0, 5).toString(36).padStart(8, '0')
  return `${prefix}_${lastStamp.toString(36).padStart(9, '0')}${sequence.toString(36).padStart(4, '0')}${random}`
}
