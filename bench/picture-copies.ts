import path from 'node:path'
import { sql } from 'kysely'
import { queueDownloads } from '../server/modules/pictures/downloads/service.ts'
import { startChild } from '../tests/child.ts'
import { anAdmin, aProduct } from '../tests/factories.ts'
import { cleanup } from '../tests/hardening/cleanup.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'

/** More than are copied in a measurement. */
const pictures = 500

interface PictureCopies {
  resume(): void
  pause(): void
  /** @throws if no picture was copied, or none is left: the run then measured something else */
  requireRunning(): Promise<void>
}

/** Queues pictures of products of this shop, which runs no jobs, and starts a process that copies them when it is resumed. */
export async function openPictureCopies(shop: ShopUnderTest): Promise<PictureCopies> {
  const child = startChild(process.execPath, [
    path.join(import.meta.dirname, 'copy-pictures.ts'),
    shop.databaseUrl,
  ])
  cleanup.add(child.kill)
  const port = await child.line(/^\d+$/)
  child.signal('SIGSTOP')
  const site = `http://cdn.example:${port}/`
  for (let number = 0; number < pictures; number++) await aProduct(shop, { image: `${site}${number}.jpg` })
  const by = { customerId: (await anAdmin(shop)).id, ip: null }
  const wanted = sql`select image as url, id as product_id from products where starts_with(image, ${site})`
  await shop.db.transaction().execute((tx) => queueDownloads(tx, wanted, ['cdn.example'], by))
  return {
    resume: () => child.signal('SIGCONT'),
    pause: () => child.signal('SIGSTOP'),
    async requireRunning() {
      const rows = await shop.db.selectFrom('picture_downloads').select('state').execute()
      const copied = rows.filter(({ state }) => state === 'done').length
      const waiting = rows.filter(({ state }) => state === 'waiting').length
      if (copied === 0 || waiting === 0)
        throw new Error(`${copied} pictures were copied, and ${waiting} are left`)
    },
  }
}
