import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { composeShop } from '../server/compose.ts'
import { readConfig } from '../server/config/config.ts'
import { openProductionBuild } from '../server/pages/builds.ts'
import { openLog } from '../server/platform/telemetry/log.ts'
import { startChild } from './child.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import {
  baseEnvironment,
  openShopProcesses,
  project,
  type ShopProcesses,
  testSecret,
} from './shop-process.ts'

let database: TestDatabase
let shops: ShopProcesses

beforeAll(async () => {
  database = await openTestDatabase()
  shops = openShopProcesses()
})
afterAll(async () => {
  await shops.remove()
  await database.close()
})

test('a process serves the files of its own version and of earlier ones from ASSETS_DIR', async () => {
  const assets = path.join(path.dirname(shops.dataDir), 'assets')
  const settings = { DATABASE_URL: database.url, DEMO: '0', ASSETS_DIR: assets }
  mkdirSync(assets)
  writeFileSync(path.join(assets, 'earlier-0a1b2c3d.js'), 'export default 1')
  const config = readConfig({ ...settings, SHOP_SECRET: testSecret })
  await expect(composeShop(config, openProductionBuild, openLog('silent'))).rejects.toMatchObject({
    name: 'StartupError',
    message: `ASSETS_DIR ${assets} does not have the files of this version. Run npm run publish-assets, then start again.`,
  })

  const env = { ...baseEnvironment, ASSETS_DIR: assets }
  const publishing = startChild(process.execPath, ['server/commands/publish-assets.ts'], {
    cwd: project,
    env,
  })
  expect([await publishing.ended, publishing.printed()]).toEqual([0, expect.stringContaining(' files added')])

  const { origin } = await shops.open(settings)
  const entry = /<script type="module"[^>]* src="([^"]+)"/.exec(await (await fetch(origin)).text())?.[1]
  for (const file of [entry, '/assets/earlier-0a1b2c3d.js']) {
    const response = await fetch(origin + file, { headers: { 'accept-encoding': 'br' } })
    expect([file, response.status, response.headers.get('cache-control')]).toEqual([
      file,
      200,
      'public, max-age=31536000, immutable',
    ])
  }
  // A process with the next version may have the file a moment later.
  const missing = await fetch(`${origin}/assets/.builds.json`)
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store'])
  // The data of a page name the version, so that a browser with another one loads the document.
  expect((await fetch(`${origin}/reviews.data`)).headers.get('shop-entry')).toBe(entry)
})
