import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { composeShop, type Shop } from './compose.ts'
import { type Config, isProduction, readConfig } from './config/config.ts'
import { hasOwner } from './modules/customers/service.ts'
import { openDevelopmentBuild, openProductionBuild } from './pages/builds.ts'
import { StartupError } from './platform/errors.ts'
import { openLog } from './platform/telemetry/log.ts'

/** Open requests are aborted after this time, so that the process ends within ten seconds. */
const shutdownTimeoutMs = 4_500

/** A signal during startup takes effect after it. A second one is ignored: Ctrl-C under npm sends two. */
const stopSignal = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve())
})

// In production all output is lines of JSON, so that a log collector can read it.
const production = isProduction(process.env)
if (production) logWarningsAndCrashes()

try {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const pages = process.argv.includes('--dev') ? openDevelopmentBuild : openProductionBuild
  const shop = await composeShop(config, pages, log)
  shop.startJobs()
  if (production) log.info(describeShop(config))
  else await greet(config, shop, log)
  await stopSignal
  await shutDown(shop, config)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  if (production) openLog('fatal').fatal(error.message)
  else process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

/** Node itself would print text. */
function logWarningsAndCrashes(): void {
  const log = openLog('warn')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'warning of Node'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends because of an unexpected error')
    process.exit(1)
  })
}

function describeShop({ origin, role }: Config): string {
  return role === 'worker' ? 'The worker of Torque Yard is running.' : `Torque Yard is open: ${origin}`
}

async function greet(config: Config, { db, demo }: Shop, log: FastifyBaseLogger): Promise<void> {
  // The shop already serves: a failure must not end it.
  const assumeOwner = (error: unknown) => {
    log.warn({ err: error }, 'could not read whether the shop has an owner')
    return true
  }
  const lines = ['', `  ${describeShop(config)}`, '']
  if (demo && config.role !== 'worker') {
    for (const email of demo.emails) lines.push(`  ${email.padEnd(20)} ${demo.password}`)
    lines.push('')
  } else if (!(await hasOwner(db).catch(assumeOwner))) {
    lines.push('  No one owns this shop yet. Sign up, then run, with the same settings:')
    lines.push('  npm run make-admin -- you@your-shop.example', '')
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function shutDown({ app, drain, close }: Shop, { role, drainSeconds }: Config): Promise<void> {
  drain()
  if (role !== 'worker') await delay(drainSeconds * 1000)
  setTimeout(() => app.server.closeAllConnections(), shutdownTimeoutMs).unref()
  await close()
  process.exit(0)
}
