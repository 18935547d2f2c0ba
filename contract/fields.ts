import * as z from 'zod/mini'
import { maxTime, minTime } from './dates.ts'
import { maxCartLines } from './limits.ts'

/**
 * Rejects control characters, lone surrogates, and characters that change the text direction, because they can
 * disguise a text. Also rejects U+FFFD, which replaces bytes that are not valid UTF-8. Multi-line text may have line
 * breaks and tabs.
 */
const printable = z.regex(
  /^[^\p{Cc}\p{Cs}\ufffd\u2028-\u202e\u2066-\u2069]*$/u,
  'This text contains characters that are not allowed',
)
const printableLines = z.regex(
  /^(?:[\t\n\r]|[^\p{Cc}\p{Cs}\ufffd\u2028-\u202e\u2066-\u2069])*$/u,
  'This text contains characters that are not allowed',
)
const characters = (max: number, message = `At most ${max} characters`) => z.maxLength(max, message)

/** Removes spaces and direction marks at both ends: phone numbers that are copied from lists of contacts have such marks. */
export const trimLine = (text: string): string =>
  /[^\s\p{Bidi_C}](?:.*[^\s\p{Bidi_C}])?/su.exec(text)?.[0] ?? ''
const trim = z.overwrite(trimLine)

/** One line of text, trimmed. */
export const line = (max: number, tooLong?: string) =>
  z.string().check(trim, characters(max, tooLong), printable)

/** One line that must not be blank. */
export const requiredLine = (max: number, message: string) =>
  z.string(message).check(trim, z.minLength(1, message), characters(max), printable)

/** Text of several lines, trimmed. */
export const lines = (max: number, tooLong?: string) =>
  z.string().check(z.trim(), characters(max, tooLong), printableLines)

/** Text of several lines that must not be blank. */
export const requiredLines = (max: number, message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), characters(max), printableLines)

/** Replaces malformed ids with an unused one, so the response is 404. Postgres rejects NUL and lone surrogates. */
const toKey = (max: number) => (text: string) =>
  text.length <= max && /^[^\p{Cc}\p{Cs}]+$/u.test(text) ? text : '-'

/** An id in any format. A malformed id is *not found*, not *invalid*. */
export const id = z.string().check(z.overwrite(toKey(200)))

/** An email to look up. Its format is not checked: a malformed one is *not found*. */
export const anyEmail = z.string().check(trim, z.toLowerCase(), z.overwrite(toKey(254)))

/** A key or an id from another system. */
export const foreignKey = z.string().check(z.minLength(1), z.maxLength(200), printable)

/** The id of a row that a browser adds: a UUID, or an id of the shop. */
export const newRowId = z
  .string()
  .check(z.regex(/^[0-9a-f-]{1,60}$/, 'Use digits, the letters a to f and dashes'))

/** The revision of a row that was edited; empty for a new one. Without it, a save overwrites other admins' changes. */
export const editedRevision = z.optional(z.string().check(z.maxLength(80)))

/** The name of a request: repeated with it, the request is made once. */
export const idempotencyKey = z.uuid('A UUID is required')

/** As browsers check it, but with a dot in the domain. Postgres and JavaScript have the same lower case for ASCII only. */
const emailPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d][a-z\d-]*\.)+[a-z][a-z\d-]*[a-z\d]$/

/** A valid email in lower case. */
export const email = z
  .string('Email is required')
  .check(trim, z.minLength(1, 'Email is required'), z.maxLength(254, 'Email not valid'), z.toLowerCase())
  .check(z.email({ pattern: emailPattern, error: 'Email not valid' }))

/** A number in the range of the type `integer` in Postgres. */
export const integer = (message: string) =>
  z.int(message).check(z.gte(-2_147_483_648, message), z.lte(2_147_483_647, message))

const tooLarge = 'The number is too large'

/** A typed number, with separate messages if it is missing, not an integer, or too large. */
export const wholeNumber = (required: string) =>
  z.int({
    error: ({ input }) => {
      if (typeof input !== 'number' || Number.isNaN(input)) return required
      return Number.isInteger(input) ? tooLarge : 'Enter a whole number'
    },
  })

const notAPrice = 'Enter dollars with at most two decimals, such as 12.50'

const notALine = `Enter the number of a line, from 1 to ${maxCartLines}`

/** The number of a line of an order. */
export const lineNumber = z.int(notALine).check(z.gte(1, notALine), z.lte(maxCartLines, notALine))

/** A typed price in dollars with at most two decimals. */
export const price = (required: string) =>
  z
    .number({ error: ({ input }) => (input === undefined || Number.isNaN(input) ? required : notAPrice) })
    .check(z.gte(0.01, 'At least $0.01'), z.lte(999_999, 'At most $999,999'), z.multipleOf(0.01, notAPrice))

const notARate = 'Enter per cent with at most four decimals, such as 8.875'

/** A typed rate in per cent, above 0. */
export const rate = (required: string) =>
  z
    .number({ error: ({ input }) => (input === undefined || Number.isNaN(input) ? required : notARate) })
    .check(z.gt(0, 'More than 0'), z.lte(100, 'At most 100'), z.multipleOf(0.0001, notARate))

/** A time in ISO 8601, converted to UTC: Postgres does not accept all offsets. */
export const timestamp = z.iso
  .datetime({ offset: true, abort: true, error: 'Enter a time such as 2026-05-01T00:00:00Z' })
  .check(
    z.refine((time) => Date.parse(time) >= Date.parse(minTime) && Date.parse(time) <= Date.parse(maxTime), {
      error: 'Enter a time in the years 1 to 9999, in UTC',
      abort: true,
    }),
    z.overwrite((time) => new Date(time).toISOString()),
  )

/** A typed number of pieces, which may be negative. */
export const pieces = (required: string) =>
  wholeNumber(required).check(z.gte(-2_147_483_648, tooLarge), z.lte(2_147_483_647, tooLarge))

/** A part number as printed. Comparisons ignore dashes, spaces and case. */
export const partNumber = line(40).check(
  z.regex(/^$|[A-Za-z0-9]/, 'Use at least one letter or digit'),
  z.regex(/^[\x20-\x7e]*$/, 'Use only plain letters, digits and symbols'),
)

/** A bar code number of 8, 12, 13 or 14 digits. The last one is the check digit. */
export const gtin = z
  .string()
  .check(
    z.trim(),
    z.regex(/^(\d{8}|\d{12,14})?$/, 'A GTIN has 8, 12, 13 or 14 digits'),
    z.refine(hasCheckDigit, 'The check digit of this GTIN is wrong'),
  )

function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((sum, digit, index) => sum + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

const isImageUrl = z.refine<string>(
  (text) => (/^https?:\/\/[^\s"'<>\\]+$/.test(text) ? isPlainUrl(text) : isOwnPicture(text)),
  'Enter an image URL that starts with http or https',
)

const isOwnPicture = (text: string) => /^\/pictures(\/[\w-]+)+\.\w+$/.test(text)

/** Rejects URLs with credentials: they leak secrets and can disguise the host. */
function isPlainUrl(text: string): boolean {
  // Longer texts are refused anyway, and `canParse` accepts some long hosts for which `URL` throws.
  const url = text.length <= 2000 && URL.canParse(text) ? new URL(text) : null
  return url !== null && url.username === '' && url.password === ''
}

/** The URL of a picture: http(s), or a path of the shop's own pictures. */
export const imageUrl = z.string().check(z.trim(), characters(2000), printable, isImageUrl)

/** An http(s) URL, or blank. */
export const webUrl = line(2000).check(
  z.refine(
    (text) => text === '' || (/^https?:\/\/[^\s"'<>\\]+$/.test(text) && isPlainUrl(text)),
    'Enter a URL that starts with http or https',
  ),
)

/** Like `imageUrl`, but it must not be blank. */
export const requiredImageUrl = (message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), characters(2000), printable, isImageUrl)

/** The page of a list, see ruling 24. */
export const paging = {
  q: z.optional(line(200)),
  page: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000))),
  pageSize: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000))),
}

/** A field to sort by, with `-` before it for descending. */
export const sortBy = <const Field extends string>(fields: readonly Field[]) =>
  z.optional(z.enum(fields.flatMap((field) => [field, `-${field}`] as const)))

const etagMessage = 'Send the ETag of the values that you have changed'

/** The ETag of the values that were edited. Proxies may mark it as weak. */
export const IfMatch = z.object({
  'if-match': z.string(etagMessage).check(z.regex(/^(W\/)?"[\w-]{1,100}"$/, etagMessage)),
})
