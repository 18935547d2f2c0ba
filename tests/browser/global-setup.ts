import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeEmbeddedPostgres } from '../embedded-postgres-folder.ts'
import { startShop } from './running-shop.ts'

/** Fills a demo shop once. Each worker starts its shops with a copy of the data, which takes half of the time. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-demo-'))
  chmodSync(folder, 0o711)
  const dataDir = path.join(folder, 'data')
  const shop = await startShop({ DATA_DIR: dataDir })
  await shop.stop()
  process.env.DEMO_DATA = dataDir
  return async () => {
    await removeEmbeddedPostgres(dataDir)
    rmSync(folder, { recursive: true })
  }
}
