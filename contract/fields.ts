import * as z from 'zod/mini'

/** Control characters have no place in anything a person types; line breaks and tabs do, in long texts. */
const printable = z.regex(/^[^\p{Cc}]*$/u, 'Control characters are not allowed')
const printableLines = z.regex(
  /^[^\p{Cc}\t\n\r]*(?:[\t\n\r][^\p{Cc}\t\n\r]*)*$/u,
  'Control characters are not allowed',
)
const characters = (max: number) => z.maxLength(max, `At most ${max} characters`)

/** One line of text, trimmed. */
export const line = (max: number) => z.string().check(z.trim(), characters(max), printable)

/** One line that must not be blank. */
export const requiredLine = (max: number, message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), characters(max), printable)

/** Text of several lines, trimmed. */
export const lines = (max: number) => z.string().check(z.trim(), characters(max), printableLines)

/** Text of several lines that must not be blank. */
export const requiredLines = (max: number, message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), characters(max), printableLines)

/** An id of any shape: what does not exist is *not found*, never *invalid*. */
export const id = z.string().check(z.minLength(1), z.maxLength(200))

/** An e-mail address, case folded. */
export const email = z
  .string('Email is required')
  .check(z.trim(), z.minLength(1, 'Email is required'), z.maxLength(254, 'Email not valid'), z.toLowerCase())
  .check(z.email('Email not valid'))

/** A whole number that Postgres' integer holds. */
export const integer = (message: string) =>
  z.int(message).check(z.gte(-2_147_483_648, message), z.lte(2_147_483_647, message))

const beyondCounting = 'That is more than the shop can count'

/** A whole number that somebody types: says whether it is missing, not whole, or beyond all counting. */
export const wholeNumber = (required: string) =>
  z.int({
    error: ({ input }) => {
      if (typeof input !== 'number' || Number.isNaN(input)) return required
      return Number.isInteger(input) ? beyondCounting : 'A whole number is needed'
    },
  })

/** Pieces that somebody counts, or corrects a count by. */
export const pieces = (required: string) =>
  wholeNumber(required).check(z.gte(-2_147_483_648, beyondCounting), z.lte(2_147_483_647, beyondCounting))

/** A part number as it is printed; dashes, spaces and case tell none from another. */
export const partNumber = line(40).check(
  z.regex(/^$|[A-Za-z0-9]/, 'A part number has a letter or a digit'),
  z.regex(/^[\x20-\x7e]*$/, 'A part number has plain letters, digits and signs'),
)

/** The number under a bar code: 8, 12, 13 or 14 digits, the last of which checks the others. */
export const gtin = z
  .string()
  .check(
    z.trim(),
    z.regex(/^(\d{8}|\d{12,14})?$/, 'A GTIN has 8, 12, 13 or 14 digits'),
    z.refine(hasCheckDigit, 'A digit of this GTIN is wrong: its last one does not check the others'),
  )

function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

const leadsToPicture = z.regex(
  /^(https?:\/\/[^\s"'<>]+|\/pictures\/[\w./-]+)$/,
  'A picture needs an http or https address',
)

/** The address of a picture: http(s), or a drawing of our own. */
export const pictureAddress = z.string().check(z.trim(), characters(2000), leadsToPicture)

/** The address of a picture that must not be left out. */
export const requiredPictureAddress = (message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), characters(2000), leadsToPicture)

/** The part of a list to answer: ruling 24. */
export const paging = {
  q: z.optional(line(200)),
  page: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000))),
  pageSize: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000))),
}

/** A field to sort by, with `-` before it for descending. */
export const sortBy = <const Field extends string>(fields: readonly Field[]) =>
  z.optional(z.enum(fields.flatMap((field) => [field, `-${field}`] as const)))
