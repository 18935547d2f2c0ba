import * as z from 'zod/mini'
import { toBikeSlug } from '../../../../contract/bikes.ts'
import { line } from '../../../../contract/fields.ts'
import { type acesCodeFileColumns, acesCodeKinds } from '../../../../contract/imports.ts'
import { catalogChanged, type FileKind } from '../file-kind.ts'
import { type FileFormat, FileRefused, readFile } from '../read-file.ts'
import * as queries from './queries.ts'

const notAYear = 'A year from 1900 to 2100 is needed'
const notAnId = 'A whole number from 1 to 2147483647 is needed'

const rules = {
  kind: z.enum(acesCodeKinds, `Valid kinds are ${acesCodeKinds.join(', ')}`),
  id: z.int(notAnId).check(z.gte(1, notAnId), z.lte(2_147_483_647, notAnId)),
  make: z.optional(line(60)),
  model: z.optional(line(80)),
  year: z.optional(z.int(notAYear).check(z.gte(1900, notAYear), z.lte(2100, notAYear))),
  value: z.optional(line(40)),
} satisfies Record<(typeof acesCodeFileColumns)[number], z.ZodMiniType>

const Row = z.object(rules)

const format: FileFormat = {
  columns: rules,
  numbers: ['id', 'year'],
  refuseColumns(columns) {
    const missing = ['kind', 'id'].find((column) => !columns.includes(column))
    return missing ? `the column “${missing}” is missing.` : null
  },
  finishRow(values) {
    const row = values as z.infer<typeof Row>
    const errors = findErrors(row)
    if (Object.keys(errors).length > 0) return { errors }
    const { make, model } = row
    return { row: { ...row, make_slug: make && toBikeSlug(make), model_slug: model && toBikeSlug(model) } }
  },
}

/** Returns messages by column. A base vehicle has a make, a model and a year, the other kinds have a value. */
function findErrors(row: z.infer<typeof Row>): Record<string, string> {
  const ofVehicle = ['make', 'model', 'year'] as const
  const [needed, unused] =
    row.kind === 'base_vehicle' ? [ofVehicle, ['value'] as const] : [['value'] as const, ofVehicle]
  return Object.fromEntries([
    ...needed
      .filter((column) => row[column] === undefined)
      .map((column) => [column, `A ${toLabel(row.kind)} needs this value`]),
    ...unused
      .filter((column) => row[column] !== undefined)
      .map((column) => [column, `A ${toLabel(row.kind)} has no such value`]),
  ])
}

const toLabel = (kind: string) => kind.replace('_', ' ')

/** Files of the ids in ACES files. They add ids and change their values, but never remove one. */
export const acesCodeFile: FileKind = {
  read: (bytes) => readFile(bytes, format),
  insertRows: queries.insertRows,

  async check(tx, importId) {
    return {
      ...(await queries.findErrors(tx, importId)),
      effect: await queries.countEffect(tx, importId),
      changes: await queries.listChanges(tx, importId),
    }
  },

  async run(tx, { id }) {
    if ((await queries.findErrors(tx, id)).total > 0) throw new FileRefused(catalogChanged)
    const effect = await queries.countEffect(tx, id)
    await queries.saveCodes(tx, id)
    return effect
  },
}
