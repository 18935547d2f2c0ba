import { readConfig } from './config.ts'
import { openDevelopmentBuild, openProductionBuild } from './pages/builds.ts'
import { openLog } from './platform/log.ts'
import { StartupError } from './platform/startup-error.ts'
import type { Shop } from './shop.ts'
import { beginStore } from './store.ts'

/** After this, requests under way are cut off, so that the process is gone within ten seconds. */
const patience = 4_500

/** Also during the start, which is then finished first; a second signal changes nothing: Ctrl-C under npm sends two. */
const toldToStop = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve())
})

try {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  // The rest of the shop is loaded while its Postgres starts, which is a process of its own.
  const beginning = beginStore(config, log)
  const { openShop } = await import('./shop.ts')
  const pages = process.argv.includes('--dev') ? openDevelopmentBuild : openProductionBuild
  const shop = await openShop(config, pages, log, beginning)
  greet(config.origin, shop)
  await toldToStop
  await leave(shop)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

function greet(origin: string, { demo }: Shop): void {
  const lines = ['', `  Torque Yard is open: ${origin}`, '']
  if (demo) {
    for (const email of demo.emails) lines.push(`  ${email.padEnd(20)} ${demo.password}`)
    lines.push('')
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function leave({ app, close }: Shop): Promise<void> {
  setTimeout(() => app.server.closeAllConnections(), patience).unref()
  await close()
  process.exit(0)
}
