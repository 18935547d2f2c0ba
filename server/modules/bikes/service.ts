import type { Kysely } from 'kysely'
import { toBikeSlug } from '../../../contract/bike-urls.ts'
import {
  type Bike,
  type BikeList,
  type BikesToRemove,
  type EditedMake,
  type EditedModel,
  type ModelSlugs,
  type NewBikes,
  type RemovedBikes,
  toModelRevision,
} from '../../../contract/bikes.ts'
import { defaultFitmentSource } from '../../../contract/fitments.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { lockApplying } from '../../platform/database/advisory-locks.ts'
import { inTransaction, isForeignKeyViolation, isUniqueViolation } from '../../platform/database/database.ts'
import { requireRevision } from '../../platform/database/saved-row.ts'
import { ShopError } from '../../platform/errors.ts'
import { recordChange } from '../audit/service.ts'
import * as repository from './repository.ts'
import { readAliases, toAliasKey } from './rules.ts'

export {
  bikeAsJson,
  existBikes,
  findBikes,
  findRenamed,
  lockBikes,
  lockModels,
  toBikeName,
} from './repository.ts'
export { quietWords } from './rules.ts'
export {
  correctBikeNames,
  findBikeLoosely,
  findBikeMatches,
  findBikeSearch,
  findKnownWords,
  findMakesByStart,
  findMisspelledMake,
  searchBikes,
} from './search/service.ts'

/**
 * Lists all makes; also the models of `make` and the bikes of `model`, if they are given.
 *
 * @throws BIKE_NOT_FOUND, INVALID_REQUEST
 */
export async function listBikes(
  db: Kysely<Database>,
  { make, model }: { make?: string | undefined; model?: string | undefined },
): Promise<BikeList> {
  if (model !== undefined && make === undefined) {
    throw new ShopError('INVALID_REQUEST', { fields: { make: 'Make is required' } })
  }
  const makes = await repository.listMakes(db)
  if (make === undefined) return { makes }
  const models = await repository.listModels(db, make)
  if (models.length === 0) throw new ShopError('BIKE_NOT_FOUND')
  if (model === undefined) return { makes, models }
  const [bikes, aliases] = await Promise.all([
    repository.listBikes(db, make, model),
    repository.listAliases(db, { make, model }),
  ])
  if (bikes.length === 0) throw new ShopError('BIKE_NOT_FOUND')
  return { makes, models, bikes, aliases }
}

/** @throws BIKE_NOT_FOUND */
export async function requireBike(db: Kysely<Database>, id: number): Promise<Bike> {
  const [bike] = await repository.findBikes(db, [id])
  if (!bike) throw new ShopError('BIKE_NOT_FOUND')
  return bike
}

/** A bike to add, with the names of its make and model. */
interface NewBike {
  make: string
  model: string
  year: number
  /** Empty: not stated. */
  version?: string
  engineCc?: number | null | undefined
  source: string
}

/**
 * Adds the bikes that the shop does not have, with their makes and models, and one without a version for each year.
 * The products that fit them are listed under them at once. Returns the number of added bikes.
 *
 * @param addedBy the admin, or null if the shop seeds itself
 */
export function addBikes(
  db: Kysely<Database>,
  bikes: NewBike[],
  addedBy: Actor | null = null,
): Promise<number> {
  return inTransaction(db, (tx) =>
    repository.insertBikes(
      tx,
      bikes.map(({ make, model, year, version = '', engineCc = null, source }) => ({
        make,
        make_slug: toBikeSlug(make),
        model,
        model_slug: toBikeSlug(model),
        year,
        version,
        engine_cc: engineCc,
        source,
      })),
      addedBy,
    ),
  )
}

/**
 * Adds the bikes of a model that the shop does not have, and other names of the model.
 *
 * @throws INVALID_REQUEST
 */
export async function addModelBikes(
  db: Kysely<Database>,
  { make, model, yearFrom, yearTo = yearFrom, version, engineCc, aliases = '' }: NewBikes,
  addedBy: Actor,
): Promise<{ make: string; model: string; added: number }> {
  if (yearTo < yearFrom) {
    throw new ShopError('INVALID_REQUEST', { fields: { yearTo: 'The last year is before the first year' } })
  }
  const { keys, error } = readAliases(aliases)
  if (error) throw new ShopError('INVALID_REQUEST', { fields: { aliases: error } })
  const slugs = { make: toBikeSlug(make), model: toBikeSlug(model) }
  return inTransaction(db, async (tx) => {
    await lockApplying(tx)
    const years = Array.from({ length: yearTo - yearFrom + 1 }, (_, index) => yearFrom + index)
    const added = await addBikes(
      tx,
      years.map((year) => ({
        make,
        model,
        year,
        version: version ?? '',
        engineCc,
        source: defaultFitmentSource,
      })),
      addedBy,
    )
    await addBikeAliases(
      tx,
      keys.map((alias) => ({ make, model, alias })),
      addedBy,
    )
    await requireFreeAliases(tx, keys, slugs)
    return { ...slugs, added }
  })
}

/**
 * Renames a make. Its slug follows, so that files, the search box and new bikes find it by its name.
 *
 * @throws BIKE_NOT_FOUND, INVALID_REQUEST
 */
export async function saveMake(
  db: Kysely<Database>,
  make: string,
  { name }: EditedMake,
  savedBy: Actor,
): Promise<{ make: string }> {
  const slug = toBikeSlug(name)
  await inTransaction(db, async (tx) => {
    const previous = await repository.renameMake(tx, make, { name, slug })
    if (previous === undefined) throw new ShopError('BIKE_NOT_FOUND')
    await recordChange(tx, {
      area: 'bikes',
      subject: name,
      before: { make: previous },
      after: { make: name },
      actor: savedBy,
    })
  }).catch((error: unknown) => {
    const isTaken = ['makes_name_key', 'makes_slug_key'].some((key) => isUniqueViolation(error, key))
    throw isTaken
      ? new ShopError('INVALID_REQUEST', { fields: { name: 'Another make has this name' } })
      : error
  })
  return { make: slug }
}

/**
 * Renames a model like a make, and replaces its other names.
 *
 * @param edited without a revision, it overwrites other admins' changes
 * @throws BIKE_NOT_FOUND, INVALID_REQUEST, RECORD_CHANGED
 */
export async function saveModel(
  db: Kysely<Database>,
  slugs: ModelSlugs,
  { name, aliases = '', revision }: EditedModel,
  savedBy: Actor,
): Promise<ModelSlugs> {
  const { keys, error } = readAliases(aliases)
  if (error) throw new ShopError('INVALID_REQUEST', { fields: { aliases: error } })
  const renamed = { make: slugs.make, model: toBikeSlug(name) }
  await inTransaction(db, async (tx) => {
    const previous = await repository.renameModel(tx, slugs, { name, slug: renamed.model })
    if (!previous) throw new ShopError('BIKE_NOT_FOUND')
    const before = await repository.listAliases(tx, renamed)
    await repository.replaceAliases(tx, renamed, keys)
    await requireFreeAliases(tx, keys, renamed)
    const after = await repository.listAliases(tx, renamed)
    requireRevision(
      { before: toModelRevision(previous.model, before), after: toModelRevision(name, after) },
      revision,
    )
    await recordChange(tx, {
      area: 'bikes',
      subject: `${previous.make} ${name}`,
      before: { model: previous.model, aliases: before.join('; ') || null },
      after: { model: name, aliases: after.join('; ') || null },
      actor: savedBy,
    })
  }).catch((error: unknown) => {
    const isTaken = isUniqueViolation(error, 'models_make_id_slug_key')
    throw isTaken
      ? new ShopError('INVALID_REQUEST', { fields: { name: 'Another model of this make has this name' } })
      : error
  })
  return renamed
}

/**
 * Removes bikes that nothing refers to: all versions of the years, or one version. The bike without a version is removed
 * only with the others of its year. A model without bikes is removed as well, and a make without models.
 *
 * @throws BIKE_NOT_FOUND, BIKES_IN_USE, INVALID_REQUEST
 */
export async function removeBikes(
  db: Kysely<Database>,
  { make, model, yearFrom, yearTo = yearFrom, version }: BikesToRemove,
  removedBy: Actor,
): Promise<RemovedBikes> {
  if (yearTo < yearFrom) {
    throw new ShopError('INVALID_REQUEST', { fields: { yearTo: 'The last year is before the first year' } })
  }
  return inTransaction(db, async (tx) => {
    const modelId = await repository.lockModelForUpdate(tx, { make, model })
    if (modelId === undefined) throw new ShopError('BIKE_NOT_FOUND')
    const range = { modelId, yearFrom, yearTo, version: version || null }
    if (await repository.isAnyCovered(tx, range)) throw new ShopError('BIKES_IN_USE')
    const removed = await repository.deleteBikes(tx, range, removedBy)
    if (removed === 0) throw new ShopError('BIKE_NOT_FOUND')
    const deleted = await repository.deleteUnusedModel(tx, modelId)
    if (!deleted) return { removed, make, model }
    await recordDeletion(tx, deleted, removedBy)
    return { removed, make: deleted.isMakeDeleted ? undefined : make }
  }).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? new ShopError('BIKES_IN_USE', { cause: error }) : error
  })
}

/** The audit lists what is left: the model and the make have no name any more. */
async function recordDeletion(
  tx: Kysely<Database>,
  { make, model, aliases, isMakeDeleted }: repository.DeletedModel,
  actor: Actor,
): Promise<void> {
  const before = { model, aliases }
  const after = { model: null, aliases: null }
  await recordChange(tx, { area: 'bikes', subject: `${make} ${model}`, before, after, actor })
  if (!isMakeDeleted) return
  await recordChange(tx, { area: 'bikes', subject: make, before: { make }, after: { make: null }, actor })
}

/**
 * Call it after the names are added: that waits for concurrent changes of the same names, and leaves out the taken ones.
 *
 * @throws INVALID_REQUEST if another model has one of these other names
 */
async function requireFreeAliases(tx: Kysely<Database>, keys: string[], slugs: ModelSlugs): Promise<void> {
  const taken = await repository.findTakenAlias(tx, keys, slugs)
  if (taken !== undefined) {
    throw new ShopError('INVALID_REQUEST', { fields: { aliases: `Another bike has this name: ${taken}` } })
  }
}

/** Adds other names of models for the search box. The comparison ignores case and all but letters and digits. */
export function addBikeAliases(
  db: Kysely<Database>,
  aliases: { make: string; model: string; alias: string }[],
  addedBy: Actor | null = null,
): Promise<void> {
  return repository.addAliases(
    db,
    aliases.map(({ make, model, alias }) => ({
      key: toAliasKey(alias),
      make: toBikeSlug(make),
      model: toBikeSlug(model),
    })),
    addedBy,
  )
}
