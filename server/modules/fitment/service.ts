import type { Kysely } from 'kysely'
import { toBikeSlug } from '../../../contract/bikes.ts'
import { decideFit, type FitAnswer } from '../../../contract/fit-answer.ts'
import {
  type Bike,
  type BikeList,
  type BikeMatch,
  type BikeSearch,
  type BikesToRemove,
  type CartLineFit,
  defaultFitmentSource,
  type EditedFitment,
  type EditedFitments,
  type EditedMake,
  type EditedModel,
  type FitKindChange,
  type FitmentList,
  type FitmentQuery,
  type FitResult,
  type ModelSlugs,
  maxBikesOfProduct,
  type NewBikes,
  type NewFitKind,
  type ProductFit,
  type RemovedBikes,
} from '../../../contract/fitment.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../http/access.ts'
import { setAuditActor } from '../../platform/audit-actor.ts'
import { inTransaction, isUniqueViolation } from '../../platform/database.ts'
import { hasCode, ShopError } from '../../platform/errors.ts'
import { toLimitOffset } from '../../platform/paging.ts'
import * as repository from './repository.ts'
import {
  checkFitKind,
  checkFitments,
  describeFitments,
  listNameKeys,
  readAliases,
  readBikeSearch,
  readBikeWords,
  toAliasKey,
} from './rules.ts'

export {
  countFitKinds,
  existBikes,
  findBikes,
  findRenamed,
  findReplacement,
  listFitments,
  listFittedYears,
  toBikeName,
} from './repository.ts'
export { type DescribedFitment, describeFitments, readAliases } from './rules.ts'

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

/** Reads the bike in a search text such as `2009 r6 brake pads`. Null if it names none that the shop has. */
export async function findBikeSearch(db: Kysely<Database>, text: string): Promise<BikeSearch | null> {
  const keys = listNameKeys(text)
  if (keys.length === 0) return null
  const { models, makes } = await repository.findNames(db, keys)
  const found = readBikeSearch(text, models, new Map(makes.map(({ key, make }) => [key, make])))
  const [model, ...others] = found?.models ?? []
  if (!found || !model) return null
  if (others.length > 0) return { read: null, models: found.models }

  const { year, rest } = found
  const bikes = (await repository.listBikes(db, model.make, model.model)).filter(
    (bike) => year === null || bike.year === year,
  )
  const word = rest.find((each) => bikes.some(({ version }) => isNamed(version, each)))
  const named = bikes.filter(({ version }) => (word ? isNamed(version, word) : version === ''))
  const [bike] = named
  if (!bike) return { read: null, models: [model] }
  const name = year === null ? [model.name, bike.version].filter(Boolean).join(' ') : bike.name
  const left = rest.filter((each) => each !== word).join(' ')
  return { read: { name, bikes: named.map(({ id }) => id), rest: left }, models: [] }
}

const isNamed = (version: string, word: string) => version !== '' && toAliasKey(version) === toAliasKey(word)

/** @throws BIKE_NOT_FOUND */
export async function requireBike(db: Kysely<Database>, id: number): Promise<Bike> {
  const [bike] = await repository.findBikes(db, [id])
  if (!bike) throw new ShopError('BIKE_NOT_FOUND')
  return bike
}

/** Decides for each pair whether the product fits the bike, with one query. Null if the shop does not have one of them. */
export async function findFits(
  db: Kysely<Database>,
  pairs: { productId: string; bikeId: number }[],
): Promise<(FitResult | null)[]> {
  if (pairs.length === 0) return []
  return (await repository.findPairs(db, pairs)).map(toFitResult)
}

function toFitResult({ fit_kind, fit_complete, bike, fitments }: repository.Pair): FitResult | null {
  if (fit_kind === null || bike === null) return null
  return { ...decideFit({ fitKind: fit_kind, fitComplete: fit_complete }, bike, fitments), bike }
}

/** The most that a line of an order keeps of its position. */
const maxPosition = 200

/**
 * Decides for each line of a cart or an order whether its product fits its bike, with one query. Undefined without a
 * bike, for gear, and if the shop does not have the product or the bike.
 */
export async function findLineFits(
  db: Kysely<Database>,
  lines: { productId: string; bike?: number | undefined }[],
): Promise<(CartLineFit | undefined)[]> {
  const pairs = lines.map(({ productId, bike = 0 }) => ({ productId, bikeId: bike }))
  if (pairs.every(({ bikeId }) => bikeId === 0)) return lines.map(() => undefined)
  return (await findFits(db, pairs)).map((fit) => {
    if (!fit || fit.answer === 'gear') return undefined
    const { answer, bike, fitments, versions } = fit
    const positions = answer === 'fits' ? fitments.flatMap(({ position }) => position ?? []) : []
    const position = [...new Set(positions)].join(', ').slice(0, maxPosition)
    return { bike, answer, position: position || undefined, fitments, versions }
  })
}

/** Returns a page of the fitments of a product, and its replacement. The product may be deleted or unknown. */
export async function findProductFit(
  db: Kysely<Database>,
  productId: string,
  page: { page: number; pageSize: number },
): Promise<ProductFit> {
  const [state, list, replacedBy] = await Promise.all([
    repository.findFitState(db, productId),
    repository.listFitments(db, productId, toLimitOffset(page)),
    repository.findReplacement(db, productId),
  ])
  return { complete: state?.fit_complete ?? false, ...list, replacedBy: replacedBy ?? undefined }
}

/**
 * Decides whether a product fits a bike.
 *
 * @throws PRODUCT_NOT_FOUND, BIKE_NOT_FOUND
 */
export async function requireFit(
  db: Kysely<Database>,
  productId: string,
  bikeId: number,
): Promise<FitResult> {
  const [[pair], replacedBy] = await Promise.all([
    repository.findPairs(db, [{ productId, bikeId }]),
    repository.findReplacement(db, productId),
  ])
  if (!pair?.fit_kind) throw new ShopError('PRODUCT_NOT_FOUND')
  const fit = toFitResult(pair)
  if (!fit) throw new ShopError('BIKE_NOT_FOUND')
  return { ...fit, replacedBy: replacedBy ?? undefined }
}

/**
 * Decides for each product whether it fits a bike. Leaves out products that the shop does not have.
 *
 * @throws BIKE_NOT_FOUND
 */
export async function listFits(
  db: Kysely<Database>,
  productIds: string[],
  bikeId: number,
): Promise<{ fits: { product: string; answer: FitAnswer }[] }> {
  await requireBike(db, bikeId)
  const found = await findFits(
    db,
    productIds.map((productId) => ({ productId, bikeId })),
  )
  return {
    fits: productIds.flatMap((product, index) => {
      const answer = found[index]?.answer
      return answer ? { product, answer } : []
    }),
  }
}

/**
 * Finds models by the words that a rider types, the best match first. The last word may be a version. A year in which none
 * of them was made is ignored.
 */
export async function searchBikes(db: Kysely<Database>, text: string): Promise<{ matches: BikeMatch[] }> {
  const { year, words } = readBikeWords(text)
  if (words.length === 0) return { matches: [] }
  const [version = null, ...names] = words.toReversed()
  for (const each of year === null ? [null] : [year, null]) {
    const named = await repository.searchModels(db, words, each)
    const matches =
      named.length > 0 || names.length === 0 ? named : await repository.searchModels(db, names, each, version)
    if (matches.length > 0) return { matches }
  }
  return { matches: [] }
}

const usualPageSize = 200

/** @throws PRODUCT_NOT_FOUND */
export async function requireFitments(
  db: Kysely<Database>,
  productId: string,
  { page, pageSize = usualPageSize }: FitmentQuery,
): Promise<FitmentList> {
  const [state, list] = await Promise.all([
    repository.findFitState(db, productId),
    repository.listFitments(db, productId, toLimitOffset({ page, pageSize })),
  ])
  if (!state) throw new ShopError('PRODUCT_NOT_FOUND')
  return { fitKind: state.fit_kind, complete: state.fit_complete, revision: state.revision, ...list }
}

/** Products of one transaction: orders for them wait until it ends. */
const fitKindBatch = 200

/**
 * Sets the fit kind of all products of a kind of part that have no fitments. Works in batches: after a failure, those that
 * were committed stay, and the call can be repeated.
 */
export async function setFitKind(
  db: Kysely<Database>,
  edited: NewFitKind,
  changedBy: Actor,
): Promise<FitKindChange> {
  const ids = await repository.listOtherFitKinds(db, edited)
  const total = { changed: 0, skipped: 0 }
  for (let from = 0; from < ids.length; from += fitKindBatch) {
    const { changed, skipped } = await inTransaction(db, async (tx) => {
      await setAuditActor(tx, changedBy)
      return repository.updateFitKinds(tx, ids.slice(from, from + fitKindBatch), edited)
    })
    total.changed += changed
    total.skipped += skipped
  }
  return total
}

/**
 * Replaces the fitments of a product, or leaves them as they are if `fitments` is absent.
 *
 * @param edited without a revision it also replaces the changes of others
 * @param savedBy null if the shop seeds itself, which its history does not record
 * @throws PRODUCT_NOT_FOUND, FITMENTS_CHANGED, TOO_MANY_BIKES, INVALID_REQUEST
 */
export function saveFitments(
  db: Kysely<Database>,
  productId: string,
  { revision, ...edited }: Omit<EditedFitments, 'revision'> & { revision?: string },
  savedBy: Actor | null,
): Promise<void> {
  const { fitments = [] } = edited
  return inTransaction(db, async (tx) => {
    const models = await repository.lockModels(tx, fitments)
    const isLocked = await repository.lockProduct(tx, productId, savedBy)
    const state = isLocked ? await repository.findFitState(tx, productId) : undefined
    if (!state) throw new ShopError('PRODUCT_NOT_FOUND')
    if (revision !== undefined && revision !== state.revision) throw new ShopError('FITMENTS_CHANGED')

    const findModel = ({ make, model }: EditedFitment) =>
      models.find((known) => known.make === make && known.model === model)
    const stored = await repository.listStoredFitments(tx, productId)
    const fields = {
      ...checkFitKind(edited, (edited.fitments ?? stored).length),
      ...checkFitments(fitments, (fitment) => findModel(fitment) !== undefined),
    }
    if (Object.keys(fields).length > 0) throw new ShopError('INVALID_REQUEST', { fields })

    const rows = fitments.flatMap((fitment) => {
      const model = findModel(fitment)
      return model ? [{ ...toRow(fitment, model.id), name: model.name }] : []
    })
    const storedKeys = new Set(stored.map(toKey))
    const keys = new Set(rows.map(toKey))
    const removed = edited.fitments ? stored.filter((row) => !keys.has(toKey(row))) : []
    const added = rows.filter((row) => !storedKeys.has(toKey(row)))
    const bikes = await repository.writeFitments(
      tx,
      productId,
      { fit_kind: edited.fitKind, fit_complete: edited.complete },
      { removedIds: removed.map(({ id }) => id), added },
    )
    if (bikes > maxBikesOfProduct) throw new ShopError('TOO_MANY_BIKES')
    if (savedBy === null || (removed.length === 0 && added.length === 0)) return
    await repository.addProductChange(
      tx,
      productId,
      { fitments: describeFitments(removed) },
      { fitments: describeFitments(added) },
      savedBy,
    )
  })
}

const toRow = (fitment: EditedFitment, model_id: number): repository.FitmentRow => ({
  model_id,
  year_from: fitment.yearFrom,
  year_to: fitment.yearTo,
  version: fitment.version || null,
  position: fitment.position || null,
  pieces: fitment.pieces ?? null,
  note: fitment.note || null,
  source: fitment.source || defaultFitmentSource,
  confirmed_on: fitment.confirmedOn ?? null,
})

/** Identifies a fitment with all of its values. */
const toKey = (row: repository.FitmentRow) =>
  JSON.stringify([
    row.model_id,
    row.year_from,
    row.year_to,
    row.version,
    row.position,
    row.pieces,
    row.note,
    row.source,
    row.confirmed_on,
  ])

/** A bike to add, with the names of its make and model. */
export interface NewBike {
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
 */
export function addBikes(db: Kysely<Database>, bikes: NewBike[]): Promise<number> {
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
    await setAuditActor(tx, addedBy)
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
    )
    await requireFreeAliases(tx, keys, slugs)
    await addBikeAliases(
      tx,
      keys.map((alias) => ({ make, model, alias })),
    )
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
    await setAuditActor(tx, savedBy)
    if (!(await repository.renameMake(tx, make, { name, slug }))) throw new ShopError('BIKE_NOT_FOUND')
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
 * @throws BIKE_NOT_FOUND, INVALID_REQUEST
 */
export async function saveModel(
  db: Kysely<Database>,
  slugs: ModelSlugs,
  { name, aliases = '' }: EditedModel,
  savedBy: Actor,
): Promise<ModelSlugs> {
  const { keys, error } = readAliases(aliases)
  if (error) throw new ShopError('INVALID_REQUEST', { fields: { aliases: error } })
  const renamed = { make: slugs.make, model: toBikeSlug(name) }
  await inTransaction(db, async (tx) => {
    await setAuditActor(tx, savedBy)
    if (!(await repository.renameModel(tx, slugs, { name, slug: renamed.model }))) {
      throw new ShopError('BIKE_NOT_FOUND')
    }
    await requireFreeAliases(tx, keys, renamed)
    await repository.removeOtherAliases(tx, renamed, keys)
    await repository.insertAliases(
      tx,
      keys.map((key) => ({ key, ...renamed })),
    )
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
    await setAuditActor(tx, removedBy)
    const modelId = await repository.lockModelForUpdate(tx, { make, model })
    if (modelId === undefined) throw new ShopError('BIKE_NOT_FOUND')
    const range = { modelId, yearFrom, yearTo, version: version || null }
    if (await repository.isAnyCovered(tx, range)) throw new ShopError('BIKES_IN_USE')
    const removed = await repository.deleteBikes(tx, range)
    if (removed === 0) throw new ShopError('BIKE_NOT_FOUND')
    const left = await repository.deleteUnusedModel(tx, modelId)
    return { removed, make: left.make ? make : undefined, model: left.model ? model : undefined }
  }).catch((error: unknown) => {
    throw hasCode(error, foreignKeyViolation) ? new ShopError('BIKES_IN_USE', { cause: error }) : error
  })
}

const foreignKeyViolation = '23503'

/** @throws INVALID_REQUEST if another model has one of these other names */
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
): Promise<void> {
  return repository.insertAliases(
    db,
    aliases.map(({ make, model, alias }) => ({
      key: toAliasKey(alias),
      make: toBikeSlug(make),
      model: toBikeSlug(model),
    })),
  )
}
