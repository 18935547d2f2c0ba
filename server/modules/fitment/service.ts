import type { Kysely } from 'kysely'
import type { CartLineFit, FitResult, Fits, ProductFit } from '../../../contract/fit.ts'
import { decideFit } from '../../../contract/fit-answer.ts'
import {
  defaultFitmentSource,
  type EditedFitment,
  type EditedFitments,
  type FitKindChange,
  type FitmentList,
  type FitmentQuery,
  maxBikesOfProduct,
  type NewFitKind,
} from '../../../contract/fitments.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { setAuditActor } from '../../platform/database/audit-actor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { toLimitOffset } from '../../platform/http/paging.ts'
import { lockModels, requireBike } from '../bikes/service.ts'
import {
  addHistory,
  findReplacement,
  listOtherFitKinds,
  lockOtherFitKinds,
  lockProduct,
  updateFitKind,
} from '../catalog/service.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { checkFitKind, checkFitments, describeFitments } from './rules.ts'

export { countFitKinds, listFitments, listFittedYears, orderedFit } from './queries.ts'

/** Decides for each pair whether the product fits the bike, with one query. Null if the shop does not have one of them. */
export async function findFits(
  db: Kysely<Database>,
  pairs: { productId: string; bikeId: number }[],
): Promise<(FitResult | null)[]> {
  if (pairs.length === 0) return []
  return (await queries.findPairs(db, pairs)).map(toFitResult)
}

function toFitResult({
  fit_kind,
  fit_complete,
  is_described,
  bike,
  fitments,
}: queries.Pair): FitResult | null {
  if (fit_kind === null || bike === null) return null
  const fit = decideFit({ fitKind: fit_kind, fitComplete: fit_complete }, bike, fitments)
  return { ...fit, bike, needsNoBike: is_described ? undefined : true }
}

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
    const position = [...new Set(positions)].toSorted().join(', ').slice(0, queries.maxPosition)
    return { bike, answer, position: position || undefined, fitments, versions }
  })
}

/** Returns a page of a product's fitments, and its replacement. The product may be deleted or unknown. */
export async function findProductFit(
  db: Kysely<Database>,
  productId: string,
  page: { page: number; pageSize: number },
): Promise<ProductFit> {
  const [state, list, replacedBy] = await Promise.all([
    queries.findFitState(db, productId),
    queries.listFitments(db, productId, toLimitOffset(page)),
    findReplacement(db, productId),
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
    queries.findPairs(db, [{ productId, bikeId }]),
    findReplacement(db, productId),
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
export async function listFits(db: Kysely<Database>, productIds: string[], bikeId: number): Promise<Fits> {
  await requireBike(db, bikeId)
  const found = await findFits(
    db,
    productIds.map((productId) => ({ productId, bikeId })),
  )
  return {
    fits: productIds.flatMap((product, index) => {
      const fit = found[index]
      return fit ? { product, answer: fit.answer, needsNoBike: fit.needsNoBike } : []
    }),
  }
}

const usualPageSize = 200

/** @throws PRODUCT_NOT_FOUND */
export async function requireFitments(
  db: Kysely<Database>,
  productId: string,
  { page, pageSize = usualPageSize }: FitmentQuery,
): Promise<FitmentList> {
  const state = await queries.findFitState(db, productId)
  if (!state) throw new ShopError('PRODUCT_NOT_FOUND')
  // After the revision: a newer list is refused with it, but an older list would overwrite the changes in between.
  const list = await queries.listFitments(db, productId, toLimitOffset({ page, pageSize }))
  return { fitKind: state.fit_kind, complete: state.fit_complete, revision: state.revision, ...list }
}

/** Products of one transaction: orders for them wait until it ends. */
const fitKindBatch = 200

/**
 * Sets the fit kind of all products that have this kind of part and no fitments. Works in batches: after a failure,
 * the committed batches stay, and the call can be repeated.
 */
export async function setFitKind(
  db: Kysely<Database>,
  edited: NewFitKind,
  changedBy: Actor,
): Promise<FitKindChange> {
  const ids = await listOtherFitKinds(db, edited)
  const total = { changed: 0, skipped: 0 }
  for (let from = 0; from < ids.length; from += fitKindBatch) {
    await inTransaction(db, async (tx) => {
      await setAuditActor(tx, changedBy)
      const locked = await lockOtherFitKinds(tx, ids.slice(from, from + fitKindBatch), edited)
      const fitted = await queries.listFitted(tx, locked)
      const free = locked.filter((id) => !fitted.has(id))
      await updateFitKind(tx, free, edited.fitKind)
      total.changed += free.length
      total.skipped += fitted.size
    })
  }
  return total
}

/**
 * Replaces the fitments of a product, or leaves them as they are if `fitments` is absent.
 *
 * @param edited without a revision, it overwrites other admins' changes. Without any change it may have an old revision: a
 * client that did not get the response repeats its save.
 * @param savedBy null if the shop seeds itself, which its history does not record
 * @throws PRODUCT_NOT_FOUND, FITMENTS_CHANGED, TOO_MANY_BIKES, INVALID_REQUEST
 */
export function saveFitments(
  db: Kysely<Database>,
  productId: string,
  { revision, ...edited }: Omit<EditedFitments, 'revision'> & { revision?: string },
  savedBy: Actor | null,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const models = await lockModels(tx, edited.fitments ?? [])
    const fitments = (edited.fitments ?? []).map((fitment) => {
      const found = models.filter(({ make, typed }) => make === fitment.make && typed === fitment.model)
      // Its own name comes before the other name of another model.
      const { model } = found.find((each) => each.model === each.typed) ?? found[0] ?? fitment
      return { ...fitment, model }
    })
    const isLocked = await lockProduct(tx, productId, savedBy)
    const state = isLocked ? await queries.findFitState(tx, productId) : undefined
    if (!state) throw new ShopError('PRODUCT_NOT_FOUND')

    const findModel = ({ make, model }: EditedFitment) =>
      models.find((known) => known.make === make && known.model === model)
    const stored = await queries.listStoredFitments(tx, productId)
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
    const isChanged =
      removed.length > 0 ||
      added.length > 0 ||
      edited.fitKind !== state.fit_kind ||
      edited.complete !== state.fit_complete
    if (isChanged && revision !== undefined && revision !== state.revision) {
      throw new ShopError('FITMENTS_CHANGED')
    }
    await updateFitKind(tx, [productId], edited.fitKind, edited.complete)
    await repository.writeFitments(tx, productId, { removedIds: removed.map(({ id }) => id), added })
    if ((await queries.countBikes(tx, productId)) > maxBikesOfProduct) throw new ShopError('TOO_MANY_BIKES')
    if (savedBy === null || (removed.length === 0 && added.length === 0)) return
    const [before, after] = [describeFitments(removed), describeFitments(added)]
    const change = { product_id: productId, before: { fitments: before }, after: { fitments: after } }
    await addHistory(tx, [change], savedBy)
  })
}

const toRow = (fitment: EditedFitment, model_id: number): queries.FitmentRow => ({
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
const toKey = (row: queries.FitmentRow) =>
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
