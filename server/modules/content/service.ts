import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import {
  type DocumentKind,
  type DocumentText,
  documentPath,
  type EditedDocument,
  type LegalPage,
  type ListedDocument,
  type ListedPost,
  legalKinds,
  type NewDocument,
  type PublicDocument,
  type StoredDocument,
} from '../../../contract/documents.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction, newId, rejectTaken } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { type Tagged, toEtag } from '../../platform/http/etag.ts'
import type { Page } from '../../platform/http/paging.ts'
import { recordChange } from '../audit/service.ts'
import type { RenderMarkdown } from './markdown.ts'
import * as queries from './queries.ts'
import { addRenamed, removeRedirect } from './redirects.ts'
import * as repository from './repository.ts'
import { toStatus } from './rules.ts'

export { createMarkdown, type RenderMarkdown } from './markdown.ts'
export { hasPosts } from './queries.ts'
export * from './redirects.ts'

/** The sitemap and every footer read all of them. */
const maxDocuments = 2_000

/** A stored document without its HTML. */
type TaggedDocument = Tagged<Omit<StoredDocument, 'html'>>

export async function listDocuments(
  db: Kysely<Database>,
  query: Parameters<typeof queries.listDocuments>[1],
): Promise<Page<ListedDocument>> {
  const { rows, total } = await queries.listDocuments(db, query)
  return {
    rows: rows.map((row) => ({ ...presentRow(row), title: row.title, savedAt: row.saved_at.toISOString() })),
    total,
  }
}

const presentRow = (row: Omit<queries.ListedRow, 'title' | 'saved_at'>) => ({
  id: row.id,
  kind: row.kind,
  slug: row.slug,
  legalKind: row.legal_kind ?? undefined,
  status: toStatus(row),
  scheduledFor: toScheduledTime(row)?.toISOString(),
})

/** When a version becomes visible. Versions of an archived document wait until it is restored. */
const toScheduledTime = ({
  archived_at,
  restores_at,
  scheduled_for,
}: Omit<queries.ListedRow, 'title' | 'saved_at'>) => (archived_at && restores_at) ?? scheduled_for

const presentText = ({ title, summary, category, image, body }: queries.VersionText): DocumentText => ({
  title,
  summary,
  category,
  image: image ?? '',
  body,
})

/** @throws NOT_FOUND */
export async function requireDocument(db: Kysely<Database>, id: string): Promise<TaggedDocument> {
  const row = await queries.findDocument(db, id)
  if (!row) throw new ShopError('NOT_FOUND')
  return tagDocument(db, row)
}

async function tagDocument(db: Kysely<Database>, row: queries.StoredRow): Promise<TaggedDocument> {
  const versions = await queries.listVersions(db, row.id)
  const visible = await queries.findVisibleNumber(db, row.id)
  return {
    value: {
      ...presentRow(row),
      text: presentText(row),
      hasDraft: row.has_draft,
      visible,
      versions: versions.map(({ number, title, saved_at, saved_by, published_at }) => ({
        number,
        title,
        savedAt: saved_at.toISOString(),
        savedBy: saved_by ?? undefined,
        publishedAt: published_at?.toISOString(),
      })),
    },
    // Only what is stored: a version that becomes visible in the meantime is not a change by another admin.
    etag: toEtag([
      row.slug,
      row.legal_kind,
      row.restores_at ?? row.archived_at,
      presentText(row),
      versions.map(({ number, published_at }) => [number, published_at]),
    ]),
  }
}

/** Returns one version. @throws NOT_FOUND */
export async function requireVersion(
  db: Kysely<Database>,
  id: string,
  number: number,
): Promise<DocumentText & { number: number }> {
  const version = await queries.findVersion(db, id, number)
  if (!version) throw new ShopError('NOT_FOUND')
  return { number, ...presentText(version) }
}

/** Adds a page or a post as a draft. @throws SLUG_TAKEN, LEGAL_KIND_TAKEN, TOO_MANY_DOCUMENTS */
export function addDocument(
  db: Kysely<Database>,
  { kind, slug, legalKind, ...text }: NewDocument,
  addedBy: Actor | null,
): Promise<TaggedDocument> {
  const id = newId()
  return inTransaction(db, async (tx) => {
    await repository.lockPaths(tx)
    if ((await repository.countDocuments(tx)) >= maxDocuments) throw new ShopError('TOO_MANY_DOCUMENTS')
    await repository.insertDocument(tx, { id, kind, slug, legal_kind: legalKind ?? null })
    await repository.saveDraft(tx, id, toVersion(1, text), addedBy?.customerId ?? null)
    await removeRedirect(tx, documentPath({ kind, slug }), addedBy)
    await recordDocument(tx, { kind, slug, title: text.title }, addedBy, null, {
      kind,
      legal_kind: legalKind ?? null,
      title: text.title,
    })
    return requireDocument(tx, id)
  }).catch(rejectTakenNames)
}

const toVersion = (
  number: number,
  { title, summary, category, image, body }: DocumentText,
): queries.VersionText => ({ number, title, summary, category, image: image || null, body })

const recordDocument = (
  tx: Kysely<Database>,
  { title, ...document }: { kind: DocumentKind; slug: string; title: string },
  actor: Actor | null,
  before: Parameters<typeof recordChange>[1]['before'],
  after: Parameters<typeof recordChange>[1]['after'],
) =>
  recordChange(tx, {
    area: 'content',
    subject: documentPath(document),
    name: title || documentPath(document),
    before,
    after,
    actor,
  })

const rejectTakenNames = rejectTaken({
  documents_slug: 'SLUG_TAKEN',
  documents_legal_kind: 'LEGAL_KIND_TAKEN',
})

/**
 * Locks a document that is still as its editor has seen it.
 *
 * @param etag undefined if the change does not depend on it
 * @throws NOT_FOUND, DOCUMENT_CHANGED
 */
async function lockDocument(tx: Kysely<Database>, id: string, etag?: string): Promise<queries.StoredRow> {
  const row = (await repository.lockDocument(tx, id)) ? await queries.findDocument(tx, id) : undefined
  if (!row) throw new ShopError('NOT_FOUND')
  if (etag !== undefined) await requireEtag(tx, row, etag)
  return row
}

/** @throws DOCUMENT_CHANGED */
async function requireEtag(tx: Kysely<Database>, row: queries.StoredRow, etag: string): Promise<void> {
  if ((await tagDocument(tx, row)).etag !== etag) throw new ShopError('DOCUMENT_CHANGED')
}

/**
 * Saves the draft, and the address and the legal kind, which change immediately. The earlier address of a document that
 * visitors have seen redirects to it.
 *
 * @param etag the ETag of the edited document. Without any change it may be an old one: a client that did not get the response
 * repeats its save.
 * @throws NOT_FOUND, DOCUMENT_CHANGED, SLUG_TAKEN, LEGAL_KIND_TAKEN, INVALID_REQUEST
 */
export function saveDocument(
  db: Kysely<Database>,
  id: string,
  etag: string,
  { slug, legalKind, ...text }: EditedDocument,
  savedBy: Actor,
): Promise<TaggedDocument> {
  return inTransaction(db, async (tx) => {
    await repository.lockPaths(tx)
    const row = await lockDocument(tx, id)
    const next = { slug, legal_kind: legalKind ?? null }
    const isNewText = !isDeepStrictEqual(presentText(toVersion(row.number, text)), presentText(row))
    if (isNewText || next.slug !== row.slug || next.legal_kind !== row.legal_kind) {
      await requireEtag(tx, row, etag)
    }
    if (legalKind && row.kind !== 'page') {
      throw new ShopError('INVALID_REQUEST', { fields: { legalKind: 'Only a page can be a legal page' } })
    }
    await repository.updateDocument(tx, id, next)
    if (slug !== row.slug) {
      await removeRedirect(tx, documentPath({ kind: row.kind, slug }), savedBy)
      await addRenamed(tx, { from: documentPath(row), documentId: id, isKnown: row.is_visible })
    }
    await recordDocument(
      tx,
      { kind: row.kind, slug, title: text.title },
      savedBy,
      { slug: row.slug, legal_kind: row.legal_kind },
      next,
    )
    if (isNewText) {
      const draft = toVersion(row.has_draft ? row.number : row.number + 1, text)
      await repository.saveDraft(tx, id, draft, savedBy.customerId)
    }
    return requireDocument(tx, id)
  }).catch(rejectTakenNames)
}

/**
 * Publishes the draft, or a scheduled version, now or at a time. An archived document is visible again from then on, with or
 * without a new version.
 *
 * @param at in ISO 8601; undefined: now
 * @throws NOT_FOUND, DOCUMENT_CHANGED, DOCUMENT_INCOMPLETE, ALREADY_PUBLIC, INVALID_REQUEST if the time is past
 */
export function publishDocument(
  db: Kysely<Database>,
  id: string,
  etag: string,
  at: string | undefined,
  publishedBy: Actor,
): Promise<TaggedDocument> {
  return inTransaction(db, async (tx) => {
    const row = await lockDocument(tx, id, etag)
    if (at !== undefined && Date.parse(at) <= Date.now()) {
      throw new ShopError('INVALID_REQUEST', { fields: { at: 'Choose a time in the future' } })
    }
    const isNew = row.has_draft || row.scheduled_for !== null
    // The time of the scheduled version may have come since the editor was opened: its text cannot be hidden by another time.
    if (at !== undefined && !isNew && !row.archived_at) throw new ShopError('ALREADY_PUBLIC')
    if (isNew) {
      if (row.title === '' || row.body === '') throw new ShopError('DOCUMENT_INCOMPLETE')
      await repository.publish(tx, id, row.number, at)
    }
    if (row.archived_at) await repository.restore(tx, id, at)
    if (isNew || row.archived_at) {
      const after = { version: row.number, published: at ?? 'now' }
      await recordDocument(tx, row, publishedBy, { version: null, published: null }, after)
    }
    return requireDocument(tx, id)
  })
}

/**
 * Makes a scheduled version the draft again, and cancels the restoring of an archived document. A repeat changes nothing.
 *
 * @throws NOT_FOUND, DRAFT_EXISTS, ALREADY_PUBLIC if its time has come
 */
export function unscheduleDocument(
  db: Kysely<Database>,
  id: string,
  changedBy: Actor,
): Promise<TaggedDocument> {
  return inTransaction(db, async (tx) => {
    const row = await lockDocument(tx, id)
    const scheduledFor = toScheduledTime(row)
    if (!scheduledFor && !row.has_draft && !row.archived_at) throw new ShopError('ALREADY_PUBLIC')
    if (scheduledFor) {
      if (row.scheduled_for && row.has_draft) throw new ShopError('DRAFT_EXISTS')
      await repository.unschedule(tx, id)
      await repository.cancelRestore(tx, id)
      const before = { version: row.number, published: scheduledFor.toISOString() }
      await recordDocument(tx, row, changedBy, before, { version: row.number, published: null })
    }
    return requireDocument(tx, id)
  })
}

/** Deletes the draft, unless it is the only version. @throws NOT_FOUND, DOCUMENT_CHANGED */
export function discardDraft(db: Kysely<Database>, id: string, etag: string): Promise<TaggedDocument> {
  return inTransaction(db, async (tx) => {
    const row = await lockDocument(tx, id, etag)
    if (row.has_draft && row.number > 1) await repository.deleteDraft(tx, id)
    return requireDocument(tx, id)
  })
}

/** Archives a document. Its versions stay. @throws NOT_FOUND */
export function archiveDocument(
  db: Kysely<Database>,
  id: string,
  archivedBy: Actor,
): Promise<TaggedDocument> {
  return inTransaction(db, async (tx) => {
    const row = await lockDocument(tx, id)
    if (!row.archived_at || row.restores_at) {
      await repository.archive(tx, id)
      const before = { archived: null, legal_kind: row.legal_kind }
      await recordDocument(tx, row, archivedBy, before, { archived: 'yes', legal_kind: null })
    }
    return requireDocument(tx, id)
  })
}

/** The documents that everyone may read, for pages. */
export const createDocumentQueries = (db: Kysely<Database>, renderMarkdown: RenderMarkdown) => ({
  /** Returns `gone` for an archived document that visitors have seen, and null for an unknown one. */
  async document(kind: DocumentKind, slug: string): Promise<PublicDocument | 'gone' | null> {
    const row = await queries.findVisible(db, kind, slug)
    if (!row) return null
    if (row.archived_at) return 'gone'
    return { ...presentPost(row), html: renderMarkdown(row.body), changedAt: row.changed_at.toISOString() }
  },
  async posts(page: { page?: number; pageSize: number }): Promise<{ posts: ListedPost[]; total: number }> {
    const { rows, total } = await queries.listPosts(db, page)
    return { posts: rows.map(presentPost), total }
  },
})

const presentPost = (row: queries.PostRow): ListedPost => ({
  kind: row.kind,
  path: documentPath(row),
  title: row.title,
  summary: row.summary,
  category: row.category,
  image: row.image ?? '',
  publishedAt: row.published_at.toISOString(),
})

/** Lists the visible legal pages in their fixed order. */
export async function listLegalPages(db: Kysely<Database>): Promise<LegalPage[]> {
  const rows = await queries.listLegalPages(db)
  return rows
    .toSorted((a, b) => legalKinds.indexOf(a.legal_kind) - legalKinds.indexOf(b.legal_kind))
    .map(({ title, slug }) => ({ title, path: documentPath({ kind: 'page', slug }) }))
}

/** Lists the documents that are legal pages, in every status. */
export const listLegalDocuments = async (db: Kysely<Database>) =>
  (await queries.listLegalDocuments(db)).map(presentRow)

/** Lists the paths of all visible documents, for the sitemap. */
export async function listDocumentPaths(db: Kysely<Database>): Promise<{ path: string; changedAt: Date }[]> {
  const rows = await queries.listVisible(db)
  return rows.map(({ changed_at, ...row }) => ({ path: documentPath(row), changedAt: changed_at }))
}
