import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, pino, stdTimeFunctions } from 'pino'
import { findRequestId } from '../http/request-id.ts'
import { findTraceId } from './tracing.ts'

/**
 * Creates a log without personal data and secrets. Errors are reduced to safe properties, and every line is searched
 * for emails, tokens, keys and card numbers. Lines that a request causes have the id of the request and of its trace.
 */
export function openLog(level: string, destination?: DestinationStream): FastifyBaseLogger {
  const options = {
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (name: string) => ({ level: name }) },
    serializers: { err: describeError },
    hooks: { streamWrite: withoutSecrets },
    mixin: () => ({ requestId: findRequestId(), traceId: findTraceId() }),
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Logged properties of errors. Others that libraries add may contain rows, request bodies or keys. */
const safeKeys = [
  'code',
  'constraint',
  'schema',
  'table',
  'column',
  'syscall',
  'status',
  'statusCode',
  'requestId',
]

/** Deeper causes are omitted. */
const maxDepth = 5

/** Returns the type, the safe properties, the stack and the causes of an error. */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const safe = safeKeys.flatMap((key) => {
    const value: unknown = Reflect.get(error, key)
    return typeof value === 'string' || typeof value === 'number' ? [[key, value] as const] : []
  })
  const { cause } = error
  const errors = error instanceof AggregateError ? error.errors.slice(0, 3) : []
  return {
    type: error.name,
    ...Object.fromEntries(safe),
    stack: withoutSecrets(error.stack ?? error.message),
    ...(cause !== undefined && depth < maxDepth && { cause: describeError(cause, depth + 1) }),
    ...(errors.length > 0 &&
      depth < maxDepth && { errors: errors.map((each) => describeError(each, depth + 1)) }),
  }
}

/**
 * Each pattern matches within one JSON string and never splits an escape sequence, so that the line remains valid JSON.
 */
const secrets: [pattern: RegExp, name: string][] = [
  [/(?<=:\/\/)[^\s/@"\\]+@/g, '[login] '],
  [
    /(?:(?<=\\[nrtbf])|(?<![^\s@"'(<>=/,;:]))[^\s@"'\\(<>=/,;:]+(?:@|%40)[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}/gi,
    '[e-mail]',
  ],
  [/Bearer +[\w.~+/=-]+/gi, '[token]'],
  // Signed ones have three parts. Encrypted ones have five, and the second may be empty.
  [/eyJ[\w-]+(?:\.[\w-]*){2,4}/g, '[token]'],
  // The key of an authenticator app: 32 characters of base32.
  [/(?<![A-Z\d])[A-Z2-7]{32}(?![A-Z\d])/g, '[key]'],
  // A recovery code for a lost authenticator app.
  [/(?<![\w-])(?:[a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}(?![\w-])/g, '[code]'],
  [/(?:[sr]k_(?:test|live)|whsec)_\w+/g, '[key]'],
  [/_secret_\w+/g, '_secret_[key]'],
  [/(?<=\/(?:reset-password|verify-email|confirm-email|join)#)[\w.-]+/g, '[token]'],
  // The key of a guest order: 32 bytes in base64url.
  [/(?:(?<=\\[nrtbf])|(?<![\w-]))(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/g, '[key]'],
  [/(?:(?<=\\[nrtbf])|(?<!\w))\d(?:[ -]?\d){13,18}(?!\w)/g, '[number]'],
]

/** Replaces emails, tokens, keys, logins in URLs and card numbers by placeholders. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((rest, [pattern, name]) => rest.replaceAll(pattern, name), text)
}
