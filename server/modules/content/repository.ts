import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database, DocumentsTable, RedirectsTable } from '../../../db/schema.ts'
import { CHANGING_PATHS } from '../../platform/database/advisory-locks.ts'
import { savedRow } from '../../platform/database/saved-row.ts'
import type { VersionText } from './queries.ts'

/** Waits for other changes of paths. Until the end of the transaction, they wait for this one. */
export async function lockPaths(tx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CHANGING_PATHS})`.execute(tx)
}

/** Locks a document. Returns false if it does not exist. */
export async function lockDocument(tx: Kysely<Database>, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('documents')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function countDocuments(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertDocument(
  tx: Kysely<Database>,
  document: Pick<Insertable<DocumentsTable>, 'id' | 'kind' | 'slug' | 'legal_kind'>,
): Promise<void> {
  await tx.insertInto('documents').values(document).execute()
}

/** @param changes columns with their new values */
export async function updateDocument(
  tx: Kysely<Database>,
  id: string,
  changes: Partial<Pick<DocumentsTable, 'slug' | 'legal_kind'>>,
): Promise<void> {
  await tx.updateTable('documents').set(changes).where('id', '=', id).execute()
}

/** A legal page that is archived leaves its place to another one. */
export async function archive(tx: Kysely<Database>, id: string): Promise<void> {
  await tx
    .updateTable('documents')
    .set({ archived_at: sql<Date>`now()`, restores_at: null, legal_kind: null })
    .where('id', '=', id)
    .execute()
}

/** Ends the archiving of a document, now or at a time. */
export async function restore(tx: Kysely<Database>, id: string, at: string | undefined): Promise<void> {
  const changes = at === undefined ? { archived_at: null, restores_at: null } : { restores_at: new Date(at) }
  await tx.updateTable('documents').set(changes).where('id', '=', id).execute()
}

/** Cancels the planned restore of an archived document. */
export async function cancelRestore(tx: Kysely<Database>, id: string): Promise<void> {
  await tx.updateTable('documents').set({ restores_at: null }).where('id', '=', id).execute()
}

/** Adds a draft, or changes it if it has this number. */
export async function saveDraft(
  tx: Kysely<Database>,
  id: string,
  text: VersionText,
  savedBy: string | null,
): Promise<void> {
  const draft = { ...text, saved_by: savedBy, saved_at: sql<Date>`now()` }
  await tx
    .insertInto('document_versions')
    .values({ document_id: id, ...draft })
    .onConflict((conflict) => conflict.columns(['document_id', 'number']).doUpdateSet(draft))
    .execute()
}

export async function deleteDraft(tx: Kysely<Database>, id: string): Promise<void> {
  await tx
    .deleteFrom('document_versions')
    .where('document_id', '=', id)
    .where('published_at', 'is', null)
    .execute()
}

/** Publishes a version, at the latest of now and this time. Other scheduled versions are deleted: it replaces them. */
export async function publish(
  tx: Kysely<Database>,
  id: string,
  number: number,
  at: string | undefined,
): Promise<void> {
  await tx
    .deleteFrom('document_versions')
    .where('document_id', '=', id)
    .where('number', '<>', number)
    .where('published_at', '>', sql<Date>`clock_timestamp()`)
    .execute()
  await tx
    .updateTable('document_versions')
    .set({ published_at: sql<Date>`greatest(now(), ${at ?? null}::timestamptz)` })
    .where('document_id', '=', id)
    .where('number', '=', number)
    .execute()
}

/** Makes the scheduled version the draft. */
export async function unschedule(tx: Kysely<Database>, id: string): Promise<void> {
  await tx
    .updateTable('document_versions')
    .set({ published_at: null })
    .where('document_id', '=', id)
    .where('published_at', '>', sql<Date>`clock_timestamp()`)
    .execute()
}

/**
 * Counts the redirects that are limited. A file leads old addresses to products, one for each product of an old shop: these
 * are not counted.
 */
export async function countRedirects(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('redirects')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => eb.or([eb('source', '<>', 'file'), eb('product_id', 'is', null)]))
    .executeTakeFirstOrThrow()
  return count
}

/** Where a redirect leads: one of the three. */
export type Destination = Pick<Insertable<RedirectsTable>, 'product_id' | 'document_id' | 'target'>

/** Adds or replaces a redirect. Returns its values before and after. */
export const saveRedirect = (
  tx: Kysely<Database>,
  redirect: Destination & Pick<Insertable<RedirectsTable>, 'path' | 'source'>,
) =>
  tx
    .insertInto('redirects')
    .values(redirect)
    .onConflict((conflict) => conflict.column('path').doUpdateSet(redirect))
    .returning(savedRow('created_at'))
    .executeTakeFirstOrThrow()

/**
 * Adds or replaces the redirects of a file, except redirects of renamed documents. Redirects to their paths then lead to the
 * same ends, so that each is one hop.
 */
export async function saveRedirects(
  tx: Kysely<Database>,
  redirects: (Destination & Pick<Insertable<RedirectsTable>, 'path'>)[],
): Promise<void> {
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(redirects)}::jsonb) as wanted
    (path text, product_id text, document_id text, target text)`
  await sql`
    update redirects set product_id = wanted.product_id, document_id = wanted.document_id, target = wanted.target
    from ${wanted}
    where redirects.target is not null
      and lower(regexp_replace(redirects.target, '/?([?#].*)?$', '')) = wanted.path`.execute(tx)
  await sql`
    insert into redirects (path, product_id, document_id, target, source)
    select path, product_id, document_id, target, 'file' from ${wanted}
    on conflict (path) do update set product_id = excluded.product_id, document_id = excluded.document_id,
      target = excluded.target, source = excluded.source
    where redirects.source <> 'renamed'`.execute(tx)
}

/** Changes redirects to a path, which itself redirects now, so that each of them is one hop. */
export async function redirectTargets(
  tx: Kysely<Database>,
  path: string,
  destination: Destination,
): Promise<void> {
  await tx
    .updateTable('redirects')
    .set(destination)
    .where((eb) => eb(sql`lower(regexp_replace(target, '/?([?#].*)?$', ''))`, '=', path))
    .execute()
}

/** Returns the values of the deleted redirect; undefined if there is none. */
export const deleteRedirect = (tx: Kysely<Database>, path: string) =>
  tx
    .deleteFrom('redirects')
    .where('path', '=', path)
    .returning(sql<Record<string, string | null>>`to_jsonb(redirects) - 'created_at'`.as('values'))
    .executeTakeFirst()
