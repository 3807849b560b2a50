/** Values below this length are words, not secrets; hiding them would garble texts. */
const MIN_SECRET_CHARACTERS = 8

/** Secrets that are remembered; a person has a handful. */
const MAX_SECRETS = 1000

/** What stands in a text where a secret was. */
export const REDACTED = '[redacted]'

const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  // OpenAI, Anthropic, OpenRouter and those that copy them.
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
]

/** A name that says what its value is; only the value goes. */
const NAMED: readonly RegExp[] = [
  /(\b(?:authorization|proxy-authorization)["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)([^\s"',;]+)/gi,
  /(\bbearer\s+)([A-Za-z0-9._~+/-]{16,}=*)/gi,
  /((?:api[_-]?key|secret|token|password|passwd|x-api-key)["']?\s*[:=]\s*["']?)([^\s"',;&]{8,})/gi,
  /([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)([^\s/@]+)(?=@)/gi,
]

/** Hides secrets in texts that leave the process: logs, exports, reports. */
export class Redactor {
  readonly #secrets = new Set<string>()

  /** Hides this very value from now on. */
  remember(secret: string): void {
    if (secret.length < MIN_SECRET_CHARACTERS || this.#secrets.size >= MAX_SECRETS) return
    this.#secrets.add(secret)
  }

  /** The text without known secrets and without what looks like one. */
  redact(text: string): string {
    let clean = text
    for (const secret of this.#secrets) {
      for (const form of formsOf(secret)) if (clean.includes(form)) clean = clean.replaceAll(form, REDACTED)
    }
    for (const shape of SHAPES) clean = clean.replace(shape, REDACTED)
    for (const named of NAMED) clean = clean.replace(named, `$1${REDACTED}`)
    return clean
  }
}

/** As it is, as in a URL, and as in JSON. */
function formsOf(secret: string): Set<string> {
  return new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
}
