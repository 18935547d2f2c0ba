import { type Kysely, sql } from 'kysely'
import type { DocumentKind, LegalKind } from '../../../contract/documents.ts'
import type { Database } from '../../../db/schema.ts'
import { containing, type Page, toLimitOffset } from '../../platform/http/paging.ts'
import { isSold } from '../catalog/service.ts'

interface ListQuery {
  q?: string | undefined
  page?: number | undefined
  pageSize?: number | undefined
}

/** When a document was archived; null if it is not archived any more. */
const archivedAt = sql<Date | null>`case when restores_at <= now() then null else archived_at end`

/** The columns of a document with its states. Versions become visible by time alone, so there is no job that can be late. */
const documentColumns = sql`
  documents.id, kind, slug, legal_kind, ${archivedAt} as archived_at, restores_at,
  states.is_visible, states.has_draft, states.scheduled_for`
const fromDocuments = sql`
  documents
  cross join lateral (
    select coalesce(bool_or(published_at <= now()), false) as is_visible,
      coalesce(bool_or(published_at is null), false) as has_draft,
      min(published_at) filter (where published_at > now()) as scheduled_for
    from document_versions where document_id = documents.id) as states
  cross join lateral (
    select number, title, summary, category, image, body, saved_at
    from document_versions where document_id = documents.id order by number desc limit 1) as newest`

interface DocumentRow {
  id: string
  kind: DocumentKind
  slug: string
  legal_kind: LegalKind | null
  archived_at: Date | null
  restores_at: Date | null
  is_visible: boolean
  has_draft: boolean
  scheduled_for: Date | null
}

export interface ListedRow extends DocumentRow {
  title: string
  saved_at: Date
}

/** Lists documents, the last saved first. `q` is a part of a title or an address. */
export async function listDocuments(
  db: Kysely<Database>,
  { kind, q, ...query }: ListQuery & { kind?: DocumentKind | undefined },
): Promise<Page<ListedRow>> {
  const { limit, offset } = toLimitOffset(query)
  const matches = sql`(${kind ?? null}::text is null or kind = ${kind ?? null})
    and (${q ?? null}::text is null or title ilike ${containing(q ?? '')} or slug ilike ${containing(q ?? '')})`
  const { rows } = await sql<ListedRow>`
    select ${documentColumns}, title, saved_at from ${fromDocuments} where ${matches}
    order by saved_at desc, documents.id limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${fromDocuments} where ${matches}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

export interface VersionText {
  number: number
  title: string
  summary: string
  category: string
  image: string | null
  body: string
}

/** A document with the text of its newest version, which is the draft if it has one. */
export type StoredRow = DocumentRow & VersionText

export async function findDocument(db: Kysely<Database>, id: string): Promise<StoredRow | undefined> {
  const { rows } = await sql<StoredRow>`
    select ${documentColumns}, number, title, summary, category, image, body
    from ${fromDocuments} where documents.id = ${id}`.execute(db)
  return rows[0]
}

const maxListedVersions = 100

/** Lists versions, newest first, with the emails of the admins who saved them. */
export const listVersions = (db: Kysely<Database>, id: string) =>
  db
    .selectFrom('document_versions')
    .leftJoin('customers', 'customers.id', 'saved_by')
    .select(['number', 'title', 'saved_at', 'published_at', 'customers.email as saved_by'])
    .where('document_id', '=', id)
    .orderBy('number', 'desc')
    .limit(maxListedVersions)
    .execute()

export const findVersion = (db: Kysely<Database>, id: string, number: number) =>
  db
    .selectFrom('document_versions')
    .select(['number', 'title', 'summary', 'category', 'image', 'body'])
    .where('document_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()

/** The number of the version that visitors see. */
export async function findVisibleNumber(db: Kysely<Database>, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`
    select number from documents, lateral ${visible} where documents.id = ${id} and ${archivedAt} is null`.execute(
    db,
  )
  return rows[0]?.number
}

/** The visible version of a document. The comparison with the time of the database is the whole publication. */
const visible = sql`(
  select number, title, summary, category, image, body, published_at as changed_at
  from document_versions where document_id = documents.id and published_at <= now()
  order by published_at desc, number desc limit 1) as visible`
const firstPublished = sql`(
  select min(published_at) as published_at
  from document_versions where document_id = documents.id and published_at <= now()) as first`

interface VisibleRow extends Omit<VersionText, 'number'> {
  kind: DocumentKind
  slug: string
  archived_at: Date | null
  published_at: Date
  changed_at: Date
}

/** Finds the visible version of a document, which may be archived. */
export async function findVisible(
  db: Kysely<Database>,
  kind: DocumentKind,
  slug: string,
): Promise<VisibleRow | undefined> {
  const { rows } = await sql<VisibleRow>`
    select kind, slug, ${archivedAt} as archived_at, title, summary, category, image, body, changed_at, published_at
    from documents, lateral ${visible}, lateral ${firstPublished}
    where kind = ${kind} and slug = ${slug}`.execute(db)
  return rows[0]
}

export type PostRow = Omit<VisibleRow, 'body' | 'archived_at' | 'changed_at'>

/** Lists visible posts, the newest first. */
export async function listPosts(
  db: Kysely<Database>,
  page: { page?: number; pageSize: number },
): Promise<Page<PostRow>> {
  const { limit, offset } = toLimitOffset(page)
  const { rows } = await sql<PostRow & { total: number }>`
    select kind, slug, title, summary, category, image, published_at, count(*) over () as total
    from documents, lateral ${visible}, lateral ${firstPublished}
    where kind = 'post' and ${archivedAt} is null
    order by published_at desc, slug limit ${limit} offset ${offset}`.execute(db)
  if (rows.length > 0 || offset === 0) return { rows, total: rows[0]?.total ?? 0 }
  const first = await listPosts(db, { pageSize: 1 })
  return { rows, total: first.total }
}

/** Lists the visible legal pages. */
export async function listLegalPages(db: Kysely<Database>) {
  const { rows } = await sql<{ legal_kind: LegalKind; title: string; slug: string }>`
    select legal_kind, title, slug from documents, lateral ${visible}
    where legal_kind is not null and ${archivedAt} is null`.execute(db)
  return rows
}

/** Lists the legal pages in every status: at most one of each kind. */
export async function listLegalDocuments(db: Kysely<Database>): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select ${documentColumns} from ${fromDocuments} where legal_kind is not null`.execute(db)
  return rows
}

/** Returns whether a post is visible. */
export async function hasPosts(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`
    select from documents, lateral ${visible} where kind = 'post' and ${archivedAt} is null limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Lists all visible documents with the time of their last change. */
export async function listVisible(db: Kysely<Database>) {
  const { rows } = await sql<{ kind: DocumentKind; slug: string; changed_at: Date }>`
    select kind, slug, changed_at from documents, lateral ${visible}
    where ${archivedAt} is null order by kind, slug`.execute(db)
  return rows
}

export interface RedirectRow {
  path: string
  source: 'renamed' | 'file' | 'admin'
  created_at: Date
  target: string | null
  product_id: string | null
  product_name: string | null
  is_sold: boolean | null
  document_id: string | null
  kind: DocumentKind | null
  slug: string | null
}

const selectRedirects = (db: Kysely<Database>) =>
  db
    .selectFrom('redirects')
    .leftJoin('products', 'products.id', 'product_id')
    .leftJoin('documents', 'documents.id', 'document_id')
    .select([
      'path',
      'source',
      'redirects.created_at',
      'target',
      'product_id',
      'products.name as product_name',
      isSold.as('is_sold'),
    ])
    .select(['document_id', 'documents.kind', 'documents.slug'])

/** Finds a redirect by its normalised path. */
export const findRedirect = (db: Kysely<Database>, path: string): Promise<RedirectRow | undefined> =>
  selectRedirects(db).where('path', '=', path).executeTakeFirst()

/** Finds redirects by their normalised paths. */
export const findRedirects = (db: Kysely<Database>, paths: string[]): Promise<RedirectRow[]> =>
  selectRedirects(db).where('path', '=', sql<string>`any(${paths}::text[])`).execute()

/** Finds the documents with these kinds and slugs. */
export async function findDocumentIds(
  db: Kysely<Database>,
  wanted: { path: string; kind: DocumentKind; slug: string }[],
): Promise<{ path: string; id: string }[]> {
  const { rows } = await sql<{ path: string; id: string }>`
    select path, id from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (path text, kind text, slug text)
      join documents using (kind, slug)`.execute(db)
  return rows
}

/** Lists redirects by path. `q` is a part of it. */
export async function listRedirects(
  db: Kysely<Database>,
  { q, ...query }: ListQuery,
): Promise<Page<RedirectRow>> {
  const { limit, offset } = toLimitOffset(query)
  const found = q ? selectRedirects(db).where('path', 'ilike', containing(q)) : selectRedirects(db)
  const rows = await found.orderBy('path').limit(limit).offset(offset).execute()
  const { total } = await found
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}
