import type { Kysely } from 'kysely'
import { documentPath, type EditedRedirect, type Redirect } from '../../../contract/documents.ts'
import { productPath } from '../../../contract/product.ts'
import { isShopPath, normalizePath } from '../../../contract/shop-paths.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import type { Page } from '../../platform/http/paging.ts'
import { recordChange } from '../audit/service.ts'
import { listExisting } from '../catalog/service.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import {
  leadsBack,
  readDocumentPath,
  readProductPath,
  toLocation,
  toStoredTarget,
  toTargetPath,
} from './rules.ts'

export const maxRedirects = 100_000

/** Returns where a redirect leads now. */
export function toTarget(row: queries.RedirectRow): string {
  if (row.product_id !== null) return productPath({ _id: row.product_id, name: row.product_name ?? '' })
  if (row.kind !== null && row.slug !== null) return documentPath({ kind: row.kind, slug: row.slug })
  return row.target ?? '/'
}

/**
 * Returns the present path for a path without a page, to which it redirects. Follows the redirects from the pages of
 * products that are no longer sold. Returns null if there is no redirect, or if those form a loop.
 */
export async function findRedirectTarget(db: Kysely<Database>, path: string): Promise<string | null> {
  const known = normalizePath(path)
  if (known.length > 500 || /[\p{Cc}\p{Cs}]/u.test(known)) return null
  const passed = new Set<string>()
  let target: string | null = null
  for (let next: string | null = known; next !== null; ) {
    if (passed.has(next)) return null
    passed.add(next)
    const row = await queries.findRedirect(db, next)
    if (row) target = toTarget(row)
    next = row?.is_sold === false ? normalizePath(toTarget(row)) : null
  }
  return target === null ? null : toLocation(target)
}

const presentRedirect = (row: queries.RedirectRow): Redirect => ({
  path: row.path,
  target: toTarget(row),
  source: row.source,
  createdAt: row.created_at.toISOString(),
})

export async function listRedirects(
  db: Kysely<Database>,
  query: Parameters<typeof queries.listRedirects>[1],
): Promise<Page<Redirect>> {
  const { rows, total } = await queries.listRedirects(db, query)
  return { rows: rows.map(presentRedirect), total }
}

/**
 * Adds or replaces a redirect. It leads to the product or document at its target, so that it stays right when that is
 * renamed, and to the end of another redirect.
 *
 * @param path in its normalised form
 * @throws REDIRECT_REFUSED if the shop has a page at the path, TOO_MANY_REDIRECTS, INVALID_REQUEST if it leads to itself
 */
export function saveRedirect(
  db: Kysely<Database>,
  { path, target }: EditedRedirect,
  savedBy: Actor,
): Promise<Redirect> {
  return inTransaction(db, async (tx) => {
    await repository.lockPaths(tx)
    if (isShopPath(path) || (await findOwnPage(tx, path))) throw new ShopError('REDIRECT_REFUSED')
    const destination = await findDestination(tx, target)
    if (leadsBack(path, destination)) {
      throw new ShopError('INVALID_REQUEST', { fields: { target: 'This address leads back to the old one' } })
    }
    const isNew = (await queries.findRedirect(tx, path)) === undefined
    if (isNew && (await repository.countRedirects(tx)) >= maxRedirects) {
      throw new ShopError('TOO_MANY_REDIRECTS')
    }
    await repository.redirectTargets(tx, path, destination)
    const saved = await repository.saveRedirect(tx, { path, ...destination, source: 'admin' })
    await recordChange(tx, { area: 'content', subject: path, ...saved, actor: savedBy })
    const row = await queries.findRedirect(tx, path)
    if (!row) throw new ShopError('NOT_FOUND')
    return presentRedirect(row)
  })
}

/** Finds the documents and products whose pages are at these paths. */
export async function findOwnPages(
  tx: Kysely<Database>,
  paths: string[],
): Promise<Map<string, repository.Destination>> {
  const documents = paths.flatMap((path) => {
    const own = readDocumentPath(path)
    return own ? [{ path, ...own }] : []
  })
  const products = new Map(paths.map((path) => [path, readProductPath(path)]))
  const ids = new Set(
    await listExisting(
      tx,
      [...products.values()].filter((id) => id !== null),
    ),
  )
  const pages = new Map<string, repository.Destination>()
  for (const [path, id] of products) {
    if (id !== null && ids.has(id)) pages.set(path, { product_id: id, document_id: null, target: null })
  }
  for (const { path, id } of await queries.findDocumentIds(tx, documents)) {
    pages.set(path, { product_id: null, document_id: id, target: null })
  }
  return pages
}

async function findOwnPage(tx: Kysely<Database>, path: string): Promise<repository.Destination | undefined> {
  return (await findOwnPages(tx, [path])).get(path)
}

async function findDestination(tx: Kysely<Database>, target: string): Promise<repository.Destination> {
  const path = toTargetPath(target)
  const next = await queries.findRedirect(tx, path)
  if (next) return { product_id: next.product_id, document_id: next.document_id, target: next.target }
  // A query or a fragment may choose a size, or a part of a page.
  const own = /[?#]/.test(target) ? undefined : await findOwnPage(tx, path)
  return own ?? { product_id: null, document_id: null, target: toStoredTarget(target) }
}

/**
 * Makes the paths of products in another shop lead to them, in the transaction of the import that adds or changes them.
 * Redirects of renamed documents stay.
 */
export async function saveOldAddresses(
  tx: Kysely<Database>,
  addresses: { path: string; productId: string }[],
): Promise<void> {
  if (addresses.length === 0) return
  await repository.lockPaths(tx)
  const redirects = addresses.map(({ path, productId }) => ({
    path,
    product_id: productId,
    document_id: null,
    target: null,
  }))
  await repository.saveRedirects(tx, redirects)
}

/** Adds the redirect of a renamed document. `isKnown`: visitors have seen the earlier address. */
export async function addRenamed(
  tx: Kysely<Database>,
  { from, documentId, isKnown }: { from: string; documentId: string; isKnown: boolean },
): Promise<void> {
  const destination = { product_id: null, document_id: documentId, target: null }
  await repository.redirectTargets(tx, from, destination)
  if (isKnown) await repository.saveRedirect(tx, { path: from, ...destination, source: 'renamed' })
}

/** Removes the redirect of a path that gets a page. */
export async function removeRedirect(
  tx: Kysely<Database>,
  path: string,
  actor: Actor | null,
): Promise<boolean> {
  const deleted = await repository.deleteRedirect(tx, path)
  if (!deleted) return false
  await recordChange(tx, { area: 'content', subject: path, before: deleted.values, after: null, actor })
  return true
}

/** @throws NOT_FOUND */
export async function deleteRedirect(db: Kysely<Database>, path: string, deletedBy: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    await repository.lockPaths(tx)
    if (!(await removeRedirect(tx, path, deletedBy))) throw new ShopError('NOT_FOUND')
  })
}
