import { z } from 'zod'

/**
 * The closed set of failure codes. Every refusal, in a tool, over the bridge or in the terminal program, carries one.
 * Code that reacts to a failure switches on the code; the message is for people and for the model.
 */
export const errorCodes = [
  'aborted',
  'access_denied',
  'binary_file',
  'command_failed',
  'conflict',
  'credential_path',
  'destructive_refused',
  'edit_rejected',
  'hook_denied',
  'internal',
  'invalid_arguments',
  'invalid_encoding',
  'invalid_payload',
  'io',
  'is_directory',
  'journal_corrupt',
  'journal_locked',
  'key_missing',
  'keychain_unavailable',
  'limit_exceeded',
  'no_change',
  'not_a_directory',
  'not_a_file',
  'not_found',
  'not_offered',
  'not_supported',
  'outside_roots',
  'permission_denied',
  'provider_auth',
  'provider_invalid_request',
  'provider_rate_limited',
  'provider_stream_broken',
  'provider_timeout',
  'provider_unavailable',
  'sandbox_unavailable',
  'session_not_found',
  'settings_invalid',
  'stale_tag',
  'timeout',
  'too_large',
  'unknown_tag',
  'untrusted_sender',
] as const

export const ErrorCode = z.enum(errorCodes)
export type ErrorCode = z.infer<typeof ErrorCode>

/** What crosses a boundary instead of an Error: a code to switch on and a sentence for people. */
export const Failure = z.object({ code: ErrorCode, message: z.string() })
export type Failure = z.infer<typeof Failure>
