import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type DownloadProblem,
  maxListedDownloads,
  type OpenDownload,
} from '../../../../contract/picture-downloads.ts'
import type { Database } from '../../../../db/schema.ts'

/** The file name in a URL. The index `picture_downloads_name` is for this expression. */
const fileName = sql`lower(substring(url from '([^/?#]+)(?:[?#].*)?$'))`

/**
 * Adds downloads, in the order of their URLs. One that is known is repeated, for the new products as well.
 *
 * @param wanted a query of rows with `url` and `product_id`
 */
export async function upsertDownloads(
  tx: Kysely<Database>,
  wanted: RawBuilder<unknown>,
  hosts: string[],
  requestedBy: string,
): Promise<void> {
  await sql`
    insert into picture_downloads as known (url, product_ids, hosts, requested_by)
    select url, array_agg(distinct product_id), ${hosts}::text[], ${requestedBy}::text
    from (${wanted}) as wanted group by url order by url
    on conflict (url) do update set
      product_ids = array(select unnest(known.product_ids || excluded.product_ids) group by 1 order by 1),
      hosts = array(select unnest(known.hosts || excluded.hosts) group by 1 order by 1),
      requested_by = excluded.requested_by, state = 'waiting', image = null, reason = null, attempts = 0,
      next_attempt_at = now()`.execute(tx)
}

export interface DueDownload {
  url: string
  hosts: string[]
  requested_by: string
  /** The number of this attempt, from 1. */
  attempts: number
  /** When it is due again, as text because a `Date` has no microseconds. */
  due_again: string
}

/** Matches a download that still waits, unless it was requested or claimed again since: that changes when it is due. */
const claimed = ({ url, due_again }: DueDownload) =>
  sql<boolean>`url = ${url} and state = 'waiting' and next_attempt_at = ${due_again}::timestamptz`

/** Minutes from each attempt to the next one: the fourth is 8 hours after the first. */
const delays = [5, 60, 415, 60]
export const maxAttempts = 4

/** Claims the download that is due first. If its process ends, it is due again later, as after a failed attempt. */
export async function claimDownload(db: Kysely<Database>): Promise<DueDownload | undefined> {
  const { rows } = await sql<DueDownload>`
    update picture_downloads set attempts = attempts + 1,
      next_attempt_at = now() + (${delays}::integer[])[least(attempts + 1, ${maxAttempts}::integer)] * interval '1 minute'
    where url = (
      select url from picture_downloads where state = 'waiting' and next_attempt_at <= now()
      order by next_attempt_at, url limit 1 for update skip locked)
    returning url, hosts, requested_by, attempts, next_attempt_at::text as due_again`.execute(db)
  return rows[0]
}

/** Makes an attempt that did not fail by its server not count. */
export async function releaseDownload(db: Kysely<Database>, due: DueDownload): Promise<void> {
  await sql`
    update picture_downloads set attempts = attempts - 1, next_attempt_at = now() + interval '1 minute'
    where ${claimed(due)}`.execute(db)
}

export async function failDownload(
  db: Kysely<Database>,
  due: DueDownload,
  reason: DownloadProblem,
): Promise<void> {
  await db.updateTable('picture_downloads').set({ state: 'failed', reason }).where(claimed(due)).execute()
}

/** Locks a download that is not done. Files that add products to it wait. Returns its products. */
export async function lockOpenDownload(tx: Kysely<Database>, url: string): Promise<string[] | undefined> {
  const row = await tx
    .selectFrom('picture_downloads')
    .select('product_ids')
    .where('url', '=', url)
    .where('state', '<>', 'done')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.product_ids
}

/** Stores the copy of a locked download. */
export async function storeCopy(
  tx: Kysely<Database>,
  { url, image }: { url: string; image: string },
): Promise<void> {
  await tx
    .updateTable('picture_downloads')
    .set({ state: 'done', image, reason: null })
    .where('url', '=', url)
    .execute()
}

/** Makes all failed downloads wait again. */
export async function retryFailed(db: Kysely<Database>): Promise<void> {
  await sql`
    update picture_downloads set state = 'waiting', reason = null, attempts = 0, next_attempt_at = now()
    where url in (select url from picture_downloads where state = 'failed' order by url for update)`.execute(
    db,
  )
}

/** A picture that was deleted is not the copy of a URL any more. */
export async function forgetCopies(tx: Kysely<Database>, hash: string): Promise<void> {
  await sql`
    delete from picture_downloads
    where image is not null and substring(image from '^/pictures/uploaded/([0-9a-f]{32})') = ${hash}`.execute(
    tx,
  )
}

/**
 * Protects the copies of URLs from deletion until the caller's transaction refers to them. Waits for a copy that is being
 * deleted, which is then not a copy any more. Returns the number of copies.
 *
 * @param urls a query of URLs
 */
export async function holdCopies(tx: Kysely<Database>, urls: RawBuilder<unknown>): Promise<number> {
  // An array, so that the plan reads the index of the URLs, however many there are.
  const { numAffectedRows } = await sql`
    update pictures set uploaded_at = now()
    where hash in (
      select hash from pictures where hash in (
        select substring(image from '^/pictures/uploaded/([0-9a-f]{32})') from picture_downloads
        where url = any(array(${urls})) and image is not null)
      order by hash for no key update)`.execute(tx)
  return Number(numAffectedRows)
}

export async function countDownloads(
  db: Kysely<Database>,
): Promise<{ waiting: number; done: number; failed: number }> {
  const { rows } = await sql<{ waiting: number; done: number; failed: number }>`
    select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'done') as done,
      count(*) filter (where state = 'failed') as failed
    from picture_downloads`.execute(db)
  return rows[0] ?? { waiting: 0, done: 0, failed: 0 }
}

type ListedDownload = Omit<OpenDownload, 'reason'> & { reason: DownloadProblem | null }

/** Lists the downloads that failed, or all that are not done and have one of these file names in lower case. */
export async function listOpenDownloads(db: Kysely<Database>, names?: string[]): Promise<ListedDownload[]> {
  const { rows } = await sql<ListedDownload>`
    select url, reason, cardinality(product_ids) as products from picture_downloads
    where ${names ? sql`state <> 'done' and ${fileName} = any(${names}::text[])` : sql`state = 'failed'`}
    order by url limit ${maxListedDownloads}`.execute(db)
  return rows
}
