import { parseArgs } from 'node:util'
import { openDemoShop } from '../../seed/demo-shop.ts'
import { fillCatalog } from '../../seed/fill-catalog.ts'
import * as customers from '../modules/customers/service.ts'
import { openIdentity } from '../modules/identity/service.ts'
import { moveNotes } from '../modules/orders/service.ts'
import { openDatabase } from '../open-database.ts'
import { StartupError } from '../platform/errors.ts'
import { type Command, readArguments, runCommand } from './run-command.ts'

const maxProducts = 5_000_000
const shown = (count: number) => count.toLocaleString('en-US')
const usage = `Usage: npm run seed -- --products 100000 (at most ${shown(maxProducts)})`
const print = (message: string) => void process.stdout.write(`${message}\n`)

/**
 * `npm run seed -- --products 100000`: fills the shop up to this number of products. With `--sizes` each one has three
 * sizes, not only gear.
 */
await runCommand(async (command) => {
  const { production, ...wanted } = readArguments(usage, parse)
  if (command.config.production && !production) {
    throw new StartupError('NODE_ENV is production. Add --production to create generated products anyway.')
  }
  await fill(command, wanted)
})

function parse() {
  const { values } = parseArgs({
    options: {
      products: { type: 'string' },
      sizes: { type: 'boolean', default: false },
      production: { type: 'boolean', default: false },
    },
  })
  const products = Number(values.products)
  if (!Number.isInteger(products) || products < 1 || products > maxProducts) return null
  return { products, allHaveSizes: values.sizes, production: values.production }
}

async function fill(
  { config, log, cleanup, signal, print: say }: Command,
  { products, allHaveSizes }: { products: number; allHaveSizes: boolean },
): Promise<void> {
  const { db, pool, databaseUrl, secrets } = await openDatabase(config, log, cleanup)
  const { host, pathname } = new URL(databaseUrl)
  const where = config.databaseUrl ? `the database ${pathname.slice(1)} at ${host}` : config.dataDir
  print(`Filling ${where} up to ${shown(products)} generated products.`)
  // The demo shop comes first, so that its products fill the first pages.
  if (config.demo) {
    const identity = await openIdentity({
      ...config,
      google: null,
      outbox: null,
      voidAccessTokens: customers.voidTokensOfIdentity,
      // Without emails no password is reset.
      clearCustomer: async () => undefined,
      changeCustomerEmail: (tx, identity, email) =>
        customers.changeEmailOfIdentity(tx, identity, email, moveNotes),
      pool,
      db,
      secrets,
      log,
    })
    await openDemoShop(config, db, identity)
  }
  const started = performance.now()
  let there = 0
  const onProgress = (done: number) => {
    there = done
    if (done % 100_000 === 0) say(`${shown(done)} products done.`)
  }
  const added = await fillCatalog(db, products, onProgress, { allHaveSizes, signal })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  print(`Added ${shown(added)} products in ${seconds} seconds; ${shown(there - added)} already existed.`)
  if (there === products) return
  print(`Interrupted: ${shown(products - there)} products are missing. Run the command again.`)
  process.exitCode = 1
}
