import type { Answer, Ask } from '../../../preload/contract/effects'

/** What of a key stroke decides; a plain object in tests. */
export interface CardStroke {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly repeat: boolean
  /** Where the focus is inside the card. */
  readonly place: 'card' | 'button' | 'field'
}

const answersByKey: Readonly<Record<string, Answer>> = { enter: 'once', s: 'session', a: 'always', d: 'deny' }

/** Whether the person may be offered an answer: `deny` always, the rest by the question's scopes. */
export function offers(ask: Ask, answer: Answer): boolean {
  return answer === 'deny' || ask.scopes.includes(answer)
}

/**
 * The answer that a key gives while the focus is in a card, or null. Letters never count in a text field, Enter on a
 * button is that button's own, a key held down answers nothing, and where something is lost no key says yes.
 */
export function answerForKey(ask: Ask, stroke: CardStroke): Answer | null {
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey || stroke.repeat || stroke.place === 'field') return null
  const answer = answersByKey[stroke.key.toLowerCase()]
  if (answer === undefined || !offers(ask, answer)) return null
  if (stroke.key === 'Enter' && stroke.place === 'button') return null
  return ask.harm === true && answer !== 'deny' ? null : answer
}

/** Letters of a button that repeats its question; longer ones say the verb alone. */
const BUTTON_CHARACTERS = 36

/** What the button of a harmful answer says: the question's own words, so that yes names what it does. */
export function harmWords(question: string): string {
  const words = question
    .replace(/\s*\([^)]*\)/g, '')
    .replace(/\?.*$/s, '')
    .trim()
  return words.length <= BUTTON_CHARACTERS ? words : (words.split(/\s/, 1)[0] ?? words)
}

/** Letters of a grant's words that a button still holds. */
const GRANT_CHARACTERS = 32

/**
 * What the button for the session says, and, where a button can't hold it, what it covers. Paths of the session's
 * folder are shortened to it.
 */
export function grantWords(ask: Ask, cwd: string): { readonly button: string; readonly covers: string | null } {
  const label = cwd === '' ? ask.grant?.label : ask.grant?.label.replaceAll(`${cwd}/`, '')
  if (label === undefined) return { button: 'For this session', covers: null }
  return label.length <= GRANT_CHARACTERS && /session/i.test(label)
    ? { button: label, covers: null }
    : { button: 'For this session', covers: label }
}
