import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../store/session-store'

/** The streaming answer is read out by sentence, at most this often, in milliseconds. */
const ANNOUNCE_EVERY_MS = 2000

/** Characters of one announcement: who listens should not fall behind what is written. */
const ANNOUNCED_CHARACTERS = 400

/** The end of the last whole sentence or line after `from`, or -1. */
export function sentenceEnd(text: string, from: number): number {
  const rest = text.slice(from)
  let end = -1
  for (const match of rest.matchAll(/[.!?:](?=\s)|\n+/g)) end = match.index + match[0].length
  return end === -1 ? -1 : from + end
}

/** Reads out the streaming answer, sentence by sentence, and when the turn ends or asks. */
export function Announcer() {
  const [said, setSaid] = useState('')
  const spoken = useRef(0)
  useEffect(() => {
    const timer = setInterval(() => {
      const text = useSession.getState().state.live?.text ?? ''
      if (text.length < spoken.current) spoken.current = 0
      const end = sentenceEnd(text, spoken.current)
      if (end === -1) return
      setSaid(text.slice(spoken.current, end).trim().slice(-ANNOUNCED_CHARACTERS))
      spoken.current = end
    }, ANNOUNCE_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const waiting = useSession(({ state }) => state.waiting.length)
  const running = useSession(({ state }) => state.running !== null)
  return (
    <>
      <div className="sr" role="status" aria-live="polite">
        {said}
      </div>
      <div className="sr" role="status" aria-live="assertive">
        {waiting > 0 ? `${waiting} waiting for you` : running ? 'The turn runs' : ''}
      </div>
    </>
  )
}
