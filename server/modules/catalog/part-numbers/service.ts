import type { Kysely } from 'kysely'
import type { Product } from '../../../../contract/catalog.ts'
import { describePartNumbers, explainPartNumber, type PartNumber } from '../../../../contract/number-texts.ts'
import {
  type EditedPartNumbers,
  maxReplacementChain,
  type PartNumbers,
} from '../../../../contract/part-numbers.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import { addHistory, lockProduct } from '../repository.ts'
import { findReplacement } from './queries.ts'
import * as repository from './repository.ts'

/** Returns the numbers that the page of a product shows, and the products before and after it. */
export async function readPartNumbers(
  db: Kysely<Database>,
  { id, replaced_by }: { id: string; replaced_by: string | null },
): Promise<Pick<Product, 'partNumbers' | 'replacedBy' | 'replaces'>> {
  const [{ numbers, replaces }, replacedBy] = await Promise.all([
    repository.findNumbers(db, id),
    replaced_by === null ? null : findReplacement(db, id),
  ])
  return {
    partNumbers: numbers.length > 0 ? numbers : undefined,
    replacedBy: replacedBy ?? undefined,
    replaces: replaces.length > 0 ? replaces : undefined,
  }
}

/** Explains, by product, how a searched number is related to the products that it found. */
export async function explainMatches(
  db: Kysely<Database>,
  productIds: string[],
  key: string,
): Promise<Map<string, string>> {
  if (key === '' || productIds.length === 0) return new Map()
  const matches = await repository.findMatches(db, productIds, key)
  return new Map(matches.map((match) => [match.product_id, explainPartNumber(match)]))
}

/** @throws PRODUCT_NOT_FOUND */
export async function requirePartNumbers(db: Kysely<Database>, productId: string): Promise<PartNumbers> {
  const found = await repository.findEditableNumbers(db, productId)
  if (!found) throw new ShopError('PRODUCT_NOT_FOUND')
  return { ...found, replacedBy: found.replacedBy ?? undefined }
}

/**
 * Replaces the part numbers of a product, and the product that replaces it.
 *
 * @param edited without a revision, it overwrites other admins' changes. Without any change it may have an old revision: a
 * client that did not get the response repeats its save.
 * @param savedBy null if the shop seeds itself, which its history does not record
 * @throws PRODUCT_NOT_FOUND, PART_NUMBERS_CHANGED, REPLACEMENT_LOOP, INVALID_REQUEST
 */
export function savePartNumbers(
  db: Kysely<Database>,
  productId: string,
  { numbers, replacedBy, revision }: Omit<EditedPartNumbers, 'revision'> & { revision?: string },
  savedBy: Actor | null,
): Promise<PartNumbers> {
  return inTransaction(db, async (tx) => {
    const current = await requirePartNumbers(tx, productId)
    // With this revision the replacement is still the same when the product is locked.
    const keepsReplacement =
      revision === current.revision && (replacedBy ?? '') === (current.replacedBy?._id ?? '')
    if (!keepsReplacement) await repository.lockReplacements(tx)
    if (!(await lockProduct(tx, productId, savedBy))) throw new ShopError('PRODUCT_NOT_FOUND')
    const stored = await requirePartNumbers(tx, productId)
    const isStale = revision !== undefined && revision !== stored.revision
    const isChanged = !haveEqualNumbers(stored.numbers, numbers)
    if (isStale && isChanged) throw new ShopError('PART_NUMBERS_CHANGED')

    const isReplaced = await saveReplacement(tx, productId, replacedBy ?? '', stored.replacedBy?._id)
    if (isStale && isReplaced) throw new ShopError('PART_NUMBERS_CHANGED')
    if (isChanged) await repository.writeNumbers(tx, productId, numbers)
    const saved = await requirePartNumbers(tx, productId)
    if (savedBy && isChanged) {
      const { before, after } = describeDifference(stored.numbers, saved.numbers)
      const change = {
        product_id: productId,
        before: { part_numbers: before },
        after: { part_numbers: after },
      }
      await addHistory(tx, [change], savedBy)
    }
    return saved
  })
}

/**
 * Returns whether the replacement is another one.
 *
 * @throws REPLACEMENT_LOOP, INVALID_REQUEST if no product for sale has this number or id, or the chain is too long
 */
async function saveReplacement(
  tx: Kysely<Database>,
  productId: string,
  numberOrId: string,
  storedId: string | undefined,
): Promise<boolean> {
  // The stored replacement may be deleted by now.
  if (numberOrId === (storedId ?? '')) return false
  const replacement = numberOrId === '' ? undefined : await repository.findForSale(tx, numberOrId)
  if (numberOrId !== '' && !replacement) {
    refuse('No product in the shop has this part number or id')
  }
  if (replacement?.id === storedId) return false
  if (replacement?.id === productId) throw new ShopError('REPLACEMENT_LOOP')
  await repository.writeReplacement(tx, productId, replacement?.id ?? null)
  const { isLoop, length } = await repository.measureChain(tx, productId, maxReplacementChain)
  if (isLoop) throw new ShopError('REPLACEMENT_LOOP')
  if (length > maxReplacementChain) {
    refuse(`At most ${maxReplacementChain} products can replace each other in a row`)
  }
  return true
}

function refuse(message: string): never {
  throw new ShopError('INVALID_REQUEST', { fields: { replacedBy: message } })
}

const toKey = ({ kind, maker = '', number }: PartNumber) => JSON.stringify([kind, maker, number])

/** Whether two lists without repetitions have the same numbers in any order. */
const haveEqualNumbers = (one: PartNumber[], other: PartNumber[]) =>
  one.length === other.length && new Set([...one, ...other].map(toKey)).size === one.length

/** The removed and the added numbers, for the history of their product. */
function describeDifference(stored: PartNumber[], saved: PartNumber[]) {
  const without = (numbers: PartNumber[], others: PartNumber[]) => {
    const keys = new Set(others.map(toKey))
    return describePartNumbers(numbers.filter((number) => !keys.has(toKey(number))))
  }
  return { before: without(stored, saved), after: without(saved, stored) }
}
