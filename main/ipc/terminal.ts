import { type TerminalOutput, terminal } from '../../preload/contract/terminal'
import type { BridgeGate } from './bridge-gate'
import type { DesktopTerminals, ServicesSource } from './desktop-services'
import type { StreamSink } from './outgoing-stream'

/** Characters of one message: what a terminal draws in well under a frame. */
const MAX_MESSAGE_CHARACTERS = 64 * 1024

/** Terminals of a session. The shell's pace follows the window: what it has not drawn is not acknowledged. */
export function registerTerminal(gate: BridgeGate, services: ServicesSource): void {
  gate.handle(terminal, {
    create: async ({ session, columns, rows }) => {
      const { sessions, terminals } = await services()
      const { cwd } = (await sessions.open(session)).state
      return terminals.create({ session, cwd, columns, rows })
    },
    list: async ({ session }) => (await services()).terminals.list(session),
    output: async ({ terminal: id }, sink) => sendOutput((await services()).terminals, id, sink),
    write: async ({ terminal: id, data }) => (await services()).terminals.write(id, data),
    resize: async ({ terminal: id, columns, rows }) => (await services()).terminals.resize(id, columns, rows),
    close: async ({ terminal: id }) => (await services()).terminals.close(id),
  })
}

/**
 * Joins what comes while the window is busy. What waits here is bounded by the mark above which the terminals hold
 * up the process, since nothing is acknowledged before the window has drawn it.
 */
function sendOutput(terminals: DesktopTerminals, id: string, sink: StreamSink<TerminalOutput>) {
  let waiting = ''
  let exit: TerminalOutput | undefined
  const flush = () => {
    while (waiting !== '' && sink.writable) {
      const data = waiting.slice(0, MAX_MESSAGE_CHARACTERS)
      waiting = waiting.slice(data.length)
      sink.send({ type: 'data', data }, () => terminals.acknowledge(id, data.length))
    }
    if (exit !== undefined && waiting === '' && sink.writable) {
      sink.send(exit)
      sink.end()
    }
  }
  sink.onWritable(flush)
  return terminals.attach(id, (output) => {
    if (output.type === 'data') waiting += output.data
    else exit = output
    flush()
  })
}
