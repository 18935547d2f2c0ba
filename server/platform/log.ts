import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, pino } from 'pino'

/**
 * The log of a process. It names no one and opens nothing, whatever it is given: an error is told by what is safe of
 * it, and what looks like an email, a secret or a card is cut out of every line.
 */
export function openLog(level: string, destination?: DestinationStream): FastifyBaseLogger {
  const options = { level, serializers: { err: describeError }, hooks: { streamWrite: withoutSecrets } }
  return destination ? pino(options, destination) : pino(options)
}

/** What helps to find a fault. All else that libraries hang on their errors quotes what it was about: rows, bodies, keys. */
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

/** Causes beyond these are cut off. */
const maxDepth = 5

/** What may be told of an error: what happened and where, never the values that it was about. */
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
 * They run over whole lines of JSON, which stay such: each begins and ends within one text, and takes no half of an
 * escaped sign with it.
 */
const secrets: [pattern: RegExp, name: string][] = [
  [/(?<=:\/\/)[^\s/@"\\]+@/g, '[login] '],
  [
    /(?:(?<=\\[nrtbf])|(?<![^\s@"'(<>=/,;:]))[^\s@"'\\(<>=/,;:]+(?:@|%40)[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}/gi,
    '[e-mail]',
  ],
  [/Bearer +[\w.~+/=-]+/gi, '[token]'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/(?:[sr]k_(?:test|live)|whsec)_\w+/g, '[key]'],
  [/_secret_\w+/g, '_secret_[key]'],
  [/(?<=\/(?:reset-password|verify-email)#)[\w-]+/g, '[token]'],
  [/(?:(?<=\\[nrtbf])|(?<!\w))\d(?:[ -]?\d){13,18}(?!\w)/g, '[number]'],
]

/** Cuts out what looks like an email, a token, a key, a login in an address, or the number of a card. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((rest, [pattern, name]) => rest.replaceAll(pattern, name), text)
}
