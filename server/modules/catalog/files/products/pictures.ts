import { type Kysely, sql } from 'kysely'
import { maxPictureHosts, type PictureHost } from '../../../../../contract/picture-downloads.ts'
import { pictureSeparator } from '../../../../../contract/product-pictures.ts'
import type { Database } from '../../../../../db/schema.ts'
import { holdCopies, queueDownloads } from '../../../pictures/downloads/service.ts'
import { isIn } from './queries.ts'

const listed = sql`string_to_array(file.pictures, ${pictureSeparator})`

/** The URLs of pictures at other addresses, with the product of each. */
const urls = (importId: string, batch?: number) => sql`(
  select product_id, image as url from product_import_rows as file
  where ${isIn(importId, batch)} and starts_with(image, 'http')
  union all
  select product_id, one.url from product_import_rows as file, unnest(${listed}) as one (url)
  where ${isIn(importId, batch)} and starts_with(one.url, 'http')) as found`

/** Scheme, host and port of a URL. The rules of an image URL allow no backslash and no user name in it. */
const site = sql<string>`substring(url from '^https?://[^/?#]*')`

/**
 * Replaces the URLs of pictures that were copied by their copies. Two URLs with the same copy become one. The copies are not
 * deleted while the rows exist.
 *
 * @param batch only the rows of this batch, whose products the caller has locked
 */
export async function useCopies(tx: Kysely<Database>, importId: string, batch?: number): Promise<void> {
  if ((await holdCopies(tx, sql`select distinct url from ${urls(importId, batch)}`)) === 0) return
  await sql`
    update product_import_rows as file set image = known.image from picture_downloads as known
    where ${isIn(importId, batch)} and known.url = file.image and known.image is not null`.execute(tx)
  await sql`
    update product_import_rows as file set pictures = (
      select string_agg(url, ${pictureSeparator} order by place)
      from (
        select coalesce(known.image, one.url) as url, min(place) as place
        from unnest(${listed}) with ordinality as one (url, place)
          left join picture_downloads as known on known.url = one.url and known.image is not null
        group by 1) as copied)
    where ${isIn(importId, batch)} and pictures is not null and exists (
      select from picture_downloads as known where known.url = any(${listed}) and known.image is not null)`.execute(
    tx,
  )
}

const countSites = async (db: Kysely<Database>, importId: string) => {
  const { rows } = await sql<{ site: string; pictures: number }>`
    select ${site} as site, count(distinct url) as pictures from ${urls(importId)} group by 1`.execute(db)
  return rows.map((row) => ({ ...row, host: new URL(row.site).hostname }))
}

/** Lists the hosts of pictures that are not copied, those with the most pictures first. */
export async function listPictureHosts(db: Kysely<Database>, importId: string): Promise<PictureHost[]> {
  const counts = new Map<string, number>()
  for (const { host, pictures } of await countSites(db, importId)) {
    counts.set(host, (counts.get(host) ?? 0) + pictures)
  }
  return [...counts]
    .map(([host, pictures]) => ({ host, pictures }))
    .toSorted((one, other) => other.pictures - one.pictures || (one.host < other.host ? -1 : 1))
    .slice(0, maxPictureHosts)
}

interface CopyingImport {
  id: string
  /** The hosts that the admin has chosen. */
  copied_hosts: string[]
  run_by: string | null
  run_ip: string | null
}

/** Queues downloads of the pictures that an import copies. */
export async function queuePictures(
  tx: Kysely<Database>,
  { id, copied_hosts: hosts, run_by, run_ip }: CopyingImport,
): Promise<void> {
  if (hosts.length === 0 || run_by === null) return
  const sites = (await countSites(tx, id)).filter(({ host }) => hosts.includes(host)).map((each) => each.site)
  const wanted = sql`select url, product_id from ${urls(id)} where ${site} = any(${sites}::text[])`
  await queueDownloads(tx, wanted, hosts, { customerId: run_by, ip: run_ip })
}
