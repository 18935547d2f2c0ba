import * as z from 'zod/mini'
import { toBikeSlug } from '../../../../contract/bike-urls.ts'
import { MakeName, ModelName, NewBikes } from '../../../../contract/bikes.ts'
import { line } from '../../../../contract/fields.ts'
import { defaultFitmentSource } from '../../../../contract/fitments.ts'
import type { bikeFileColumns } from '../../../../contract/imports.ts'
import { setAuditActor } from '../../../platform/database/audit-actor.ts'
import { catalogChanged, type FileKind } from '../../imports/file-kind.ts'
import { type FileFormat, FileRefused, requireColumns } from '../../imports/read-file.ts'
import { readAliases } from '../rules.ts'
import * as queries from './queries.ts'

const notAYear = 'A year from 1900 to 2100 is needed'
const year = z.int(notAYear).check(z.gte(1900, notAYear), z.lte(2100, notAYear))

const rules = {
  make: MakeName,
  model: ModelName,
  year_from: year,
  year_to: z.optional(year),
  version: NewBikes.shape.version,
  engine_cc: NewBikes.shape.engineCc,
  source: z.optional(line(80)),
  aliases: NewBikes.shape.aliases,
} satisfies Record<(typeof bikeFileColumns)[number], z.ZodMiniType>

const Row = z.object(rules)

const format: FileFormat = {
  columns: rules,
  numbers: ['year_from', 'year_to', 'engine_cc'],
  refuseColumns: requireColumns(['make', 'model', 'year_from']),
  finishRow(values) {
    const {
      version = '',
      source = defaultFitmentSource,
      aliases = '',
      ...row
    } = values as z.infer<typeof Row>
    const { make, model, year_from, year_to = year_from } = row
    const { keys, error } = readAliases(aliases)
    const errors = {
      ...(year_to < year_from && { year_to: 'The last year is before the first year' }),
      ...(error && { aliases: error }),
    }
    if (Object.keys(errors).length > 0) return { errors }
    return {
      row: {
        ...row,
        year_to,
        version,
        source,
        make_slug: toBikeSlug(make),
        model_slug: toBikeSlug(model),
        aliases: keys,
      },
    }
  },
}

/** Bike files. They add bikes with their makes and models, and change their data, but never remove one. */
export const bikeFile: FileKind = {
  rowTable: 'bike_import_rows',
  toFormat: () => format,
  insertRows: queries.insertRows,

  async check(tx, id, columns) {
    const found = await queries.findErrors(tx, id)
    // The years of a refused file may be many millions of bikes.
    if (found.total > 0) return { ...found, effect: { added: 0, changed: 0, unchanged: 0 }, changes: [] }
    return {
      ...found,
      effect: await queries.countEffect(tx, { id, columns }),
      changes: await queries.listChanges(tx, { id, columns }),
    }
  },

  async run(tx, file, by) {
    // Without an actor, the triggers that version 1.0.0 needs record nothing (decision 18).
    await setAuditActor(tx, null)
    if ((await queries.findErrors(tx, file.id)).total > 0) throw new FileRefused(catalogChanged)
    await queries.addModels(tx, file.id, by)
    await queries.lockModels(tx, file.id)
    const effect = await queries.countEffect(tx, file)
    await queries.saveBikes(tx, file, by)
    return effect
  },
}
