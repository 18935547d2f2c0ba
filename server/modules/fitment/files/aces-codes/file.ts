import * as z from 'zod/mini'
import { toBikeSlug } from '../../../../../contract/bike-urls.ts'
import { line } from '../../../../../contract/fields.ts'
import { type acesCodeFileColumns, acesCodeKinds } from '../../../../../contract/imports.ts'
import { toWholeNumber } from '../../../../../contract/typed-numbers.ts'
import { catalogChanged, type FileKind } from '../../../imports/file-kind.ts'
import { type FileFormat, FileRefused, requireColumns } from '../../../imports/read-file.ts'
import { BrandId } from '../aces/read-xml.ts'
import * as queries from './queries.ts'

const notAYear = 'A year from 1900 to 2100 is needed'
const notAnId = 'A whole number from 1 to 2147483647 is needed'

const maxValueLength = 40
const maxBrandLength = 80

const rules = {
  kind: z.enum(acesCodeKinds, `Valid kinds are ${acesCodeKinds.join(', ')}`),
  id: z.string(notAnId),
  make: z.optional(line(60)),
  model: z.optional(line(80)),
  year: z.optional(z.int(notAYear).check(z.gte(1900, notAYear), z.lte(2100, notAYear))),
  value: z.optional(line(maxBrandLength)),
} satisfies Record<(typeof acesCodeFileColumns)[number], z.ZodMiniType>

const Row = z.object(rules)
const NumericId = z.int().check(z.gte(1), z.lte(2_147_483_647))

const format: FileFormat = {
  columns: rules,
  numbers: ['year'],
  refuseColumns: requireColumns(['kind', 'id']),
  finishRow(values) {
    const row = values as z.infer<typeof Row>
    const errors = findErrors(row)
    if (Object.keys(errors).length > 0) return { errors }
    const { kind, id: code, make, model, ...others } = row
    return {
      row: {
        ...others,
        kind,
        ...(kind === 'brand' ? { brand_id: BrandId.parse(code) } : { id: toWholeNumber(code) }),
        make,
        make_slug: make && toBikeSlug(make),
        model,
        model_slug: model && toBikeSlug(model),
      },
    }
  },
}

/** Returns messages by column. A base vehicle has a make, a model and a year, the other kinds have a value. */
function findErrors(row: z.infer<typeof Row>): Record<string, string> {
  const ofVehicle = ['make', 'model', 'year'] as const
  const [needed, unused] =
    row.kind === 'base_vehicle' ? [ofVehicle, ['value'] as const] : [['value'] as const, ofVehicle]
  return Object.fromEntries([
    ...refuseId(row),
    ...needed
      .filter((column) => row[column] === undefined)
      .map((column) => [column, `A ${toLabel(row.kind)} needs this value`]),
    ...unused
      .filter((column) => row[column] !== undefined)
      .map((column) => [column, `A ${toLabel(row.kind)} has no such value`]),
    ...(row.kind !== 'brand' && (row.value?.length ?? 0) > maxValueLength
      ? [['value', `At most ${maxValueLength} characters`]]
      : []),
  ])
}

function refuseId({ kind, id }: z.infer<typeof Row>): [string, string][] {
  if (kind === 'brand') return BrandId.safeParse(id).success ? [] : [['id', 'A brand id has four letters']]
  return NumericId.safeParse(toWholeNumber(id)).success ? [] : [['id', notAnId]]
}

const toLabel = (kind: string) => kind.replace('_', ' ')

/** Files with ACES ids. They add ids and change their values, but never remove one. */
export const acesCodeFile: FileKind = {
  rowTable: 'aces_code_import_rows',
  toFormat: () => format,
  insertRows: queries.insertRows,

  async check(tx, importId) {
    return {
      ...(await queries.findErrors(tx, importId)),
      effect: await queries.countEffect(tx, importId),
      changes: await queries.listChanges(tx, importId),
    }
  },

  async run(tx, { id }, by) {
    if ((await queries.findErrors(tx, id)).total > 0) throw new FileRefused(catalogChanged)
    const effect = await queries.countEffect(tx, id)
    await queries.saveCodes(tx, id, by)
    return effect
  },
}
