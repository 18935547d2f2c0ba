import * as z from 'zod/mini'
import { line, partNumber } from './fields.ts'
import { Replacement } from './fitments.ts'
import { partNumberKinds } from './number-texts.ts'

export const maxPartNumbers = 200
/** The products that may replace each other in a row, the first and the last one included. */
export const maxReplacementChain = 10

export const PartNumber = z.object({
  kind: z.enum(partNumberKinds, 'Choose a kind'),
  maker: z.optional(line(80)),
  number: partNumber,
})
type PartNumber = z.infer<typeof PartNumber>

/** Returns messages by field. */
export const checkPartNumber = ({ kind, maker, number }: PartNumber): Record<string, string> => ({
  ...(number === '' && { number: 'Number is required' }),
  ...(kind !== 'supersedes' && !maker && { maker: 'Maker is required' }),
})

/** The form in which numbers are compared: capitals and digits, as the columns `number_key` and `sku_key`. */
export const toNumberKey = (number: string): string => number.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()

/** All numbers of a product. `replacedBy`: the next product, which may be replaced as well. */
export const PartNumbers = z.object({
  numbers: z.array(PartNumber),
  replacedBy: z.optional(Replacement),
  /** Changes with each saved change. */
  revision: z.string(),
})
export type PartNumbers = z.infer<typeof PartNumbers>

export const EditedPartNumbers = z.object({
  numbers: z
    .array(PartNumber)
    .check(
      z.maxLength(maxPartNumbers, `At most ${maxPartNumbers} part numbers`),
      ({ value: numbers, issues }) => {
        const keys = numbers.map(({ kind, maker = '', number }) =>
          JSON.stringify([kind, maker, toNumberKey(number)]),
        )
        for (const [index, number] of numbers.entries()) {
          const repeated = keys.indexOf(keys[index] ?? '') < index && {
            number: 'This number is listed twice',
          }
          for (const [field, message] of Object.entries({ ...repeated, ...checkPartNumber(number) })) {
            issues.push({ code: 'custom', path: [index, field], message, input: number })
          }
        }
      },
    ),
  /** Part number or id of the product that replaces this one. Absent or blank: none. */
  replacedBy: z.optional(line(200)),
  /** The revision of the numbers that were edited. */
  revision: z.string().check(z.maxLength(80)),
})
export type EditedPartNumbers = z.infer<typeof EditedPartNumbers>

/** Whether a scan means this GTIN or part number. Scanners add or leave out zeros before a GTIN, and keyboards differ in dashes. */
export const isSameCode = (code: string, scanned: string): boolean =>
  toNumberKey(code) === toNumberKey(scanned) ||
  (isGtin(code) && isGtin(scanned) && code.padStart(14, '0') === scanned.padStart(14, '0'))

const isGtin = (code: string): boolean => /^\d{7,14}$/.test(code)

/**
 * Whether a GTIN is valid outside the shop. Google refuses the prefixes of in-store labels and of coupons:
 * https://support.google.com/merchants/answer/6324461. The first of 14 digits does not belong to the prefix.
 */
export const isGlobalGtin = (gtin: string): boolean =>
  gtin.length === 8 ? !/^[02]/.test(gtin) : !/^(2|0[245]|98[1-4]|99)/.test(gtin.padStart(14, '0').slice(1))

/** Returns a scanned GTIN in each of its lengths. Scanners add or leave out zeros before it. Empty if the code is not a GTIN. */
export function listGtins(code: string): string[] {
  const digits = /^0*(\d{7,14})$/.exec(code)?.[1]
  return digits ? [8, 12, 13, 14].map((length) => digits.padStart(length, '0')) : []
}
