import * as z from 'zod/mini'
import { standards } from './certificates.ts'
import { editedRevision, id, line, lines, newRowId, paging, requiredLine, webUrl } from './fields.ts'
import { maxOptionLength } from './limits.ts'

/** Name, postal address, and an email or web address. */
const Contact = z.object({
  name: z.optional(line(120)),
  address: z.optional(lines(400)),
  contact: z.optional(line(200)),
})

/** The manufacturer of a brand, and the responsible person of a maker outside the EU (GPSR, article 19). */
export const Manufacturer = z.extend(Contact, {
  eu: z.optional(Contact),
  safetyText: z.optional(lines(4000)),
})
export type Manufacturer = z.infer<typeof Manufacturer>

export const EditedManufacturer = z.extend(Manufacturer, { revision: editedRevision })
export type EditedManufacturer = z.infer<typeof EditedManufacturer>

export const BrandName = z.object({ name: id })
export const BrandQuery = z.object(paging)

/** A brand of products. `complete`: every part of each contact is known, so the product page may be published in the EU. */
export const Brand = z.object({
  name: z.string(),
  /** Number of its products in the shop. */
  products: z.int(),
  data: z.enum(['missing', 'incomplete', 'complete']),
  manufacturer: Manufacturer,
  /** Changes with each saved change. Empty without data. */
  revision: z.string(),
})
export type Brand = z.infer<typeof Brand>

export const units = ['cm', 'in'] as const
export type Unit = (typeof units)[number]

export const maxChartColumns = 8
export const maxChartRows = 40

const notAMeasure = 'Enter a number from 0.1 to 999 with at most one decimal'
const measure = z
  .number(notAMeasure)
  .check(z.gte(0.1, notAMeasure), z.lte(999, notAMeasure), z.multipleOf(0.1, notAMeasure))
/** The smallest and the largest measure of a size; both are equal if the maker names one. */
const range = z
  .tuple([measure, measure])
  .check(z.refine(([from, to]) => from <= to, 'The first number is the smaller one'))

const ChartRow = z.object({
  size: requiredLine(maxOptionLength, 'Size is required'),
  values: z.array(z.nullable(range)),
})

/** The sizes of a brand for one kind of product. Each row has a range for each measure of `columns`, or null. */
export const EditedSizeChart = z
  .object({
    brand: requiredLine(80, 'Brand is required'),
    kind: requiredLine(80, 'Kind of part is required'),
    unit: z.enum(units),
    columns: z
      .array(requiredLine(40, 'Measure is required'))
      .check(
        z.minLength(1, 'At least one measure'),
        z.maxLength(maxChartColumns, `At most ${maxChartColumns} measures`),
      ),
    rows: z
      .array(ChartRow)
      .check(z.minLength(1, 'At least one size'), z.maxLength(maxChartRows, `At most ${maxChartRows} sizes`)),
    source: requiredLine(120, 'Source is required'),
    revision: editedRevision,
  })
  .check(({ value: { columns, rows }, issues }) => {
    const refuse = (path: (string | number)[], message: string) =>
      issues.push({ code: 'custom', path, message, input: undefined })
    for (const [index, column] of columns.entries()) {
      if (isRepeated(columns, column, index)) refuse(['columns', index], 'This measure is listed twice')
    }
    const sizes = rows.map(({ size }) => size)
    for (const [index, { size, values }] of rows.entries()) {
      if (isRepeated(sizes, size, index)) refuse(['rows', index, 'size'], 'This size is listed twice')
      if (values.length !== columns.length) refuse(['rows', index, 'values'], 'One value for each measure')
    }
  })
export type EditedSizeChart = z.infer<typeof EditedSizeChart>

const isRepeated = (texts: string[], text: string, index: number) =>
  texts.slice(0, index).some((other) => other.toLowerCase() === text.toLowerCase())

export const SizeChartId = z.object({ id })
/** The browser names a new chart, so that a repeated request adds one. */
export const EditedSizeChartId = z.object({ id: newRowId })
export const SizeChart = z.object({
  id: z.string(),
  brand: z.string(),
  kind: z.string(),
  unit: z.enum(units),
  columns: z.array(z.string()),
  rows: z.array(
    z.object({ size: z.string(), values: z.array(z.nullable(z.tuple([z.number(), z.number()]))) }),
  ),
  source: z.string(),
})
export type SizeChart = z.infer<typeof SizeChart>

/** A chart in the list of admins. `revision` changes with each saved change. */
export const EditableSizeChart = z.extend(SizeChart, { revision: z.string() })
export type EditableSizeChart = z.infer<typeof EditableSizeChart>

const maxCertificates = 20

const EditedCertificate = z
  .object({
    standard: z.enum(Object.keys(standards), 'Choose a standard'),
    class: z.optional(line(20)),
    zone: z.optional(line(40)),
    number: z.optional(line(80)),
    documentUrl: z.optional(webUrl),
  })
  .check(({ value: { standard, class: level = '', zone = '' }, issues }) => {
    const { classes = [], isClassOptional = false, zones = [] } = standards[standard] ?? {}
    const isOptional = isClassOptional || classes.length === 0
    const isDigits = standard === 'EN 13634' && /^[12x](-[12x]){2,3}$/i.test(level)
    if (level === '' ? !isOptional : !classes.includes(level) && !isDigits) {
      issues.push({
        code: 'custom',
        path: ['class'],
        message: 'This standard has no such class',
        input: level,
      })
    }
    if (zone === '' ? zones.length > 0 : !zones.includes(zone)) {
      issues.push({
        code: 'custom',
        path: ['zone'],
        message: 'This standard has no such zone',
        input: zone,
      })
    }
  })

/** All certificates of a product, each standard and zone once. */
export const EditedCertificates = z.object({
  certificates: z
    .array(EditedCertificate)
    .check(z.maxLength(maxCertificates, `At most ${maxCertificates} certificates`), ({ value, issues }) => {
      const keys = value.map(({ standard, zone = '' }) => `${standard}, ${zone}`)
      for (const [index, key] of keys.entries()) {
        if (keys.indexOf(key) < index)
          issues.push({
            code: 'custom',
            path: [index, 'standard'],
            message: 'This certificate is listed twice',
            input: key,
          })
      }
    }),
})
export type EditedCertificates = z.infer<typeof EditedCertificates>

export const Certificate = z.object({
  standard: z.string(),
  class: z.optional(z.string()),
  zone: z.optional(z.string()),
  number: z.optional(z.string()),
  documentUrl: z.optional(z.string()),
})
export const Certificates = z.object({ certificates: z.array(Certificate) })
