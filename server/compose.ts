import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { registerMailbox } from '../sandboxes/mailbox/page.ts'
import { openDemoShop } from '../seed/demo-shop.ts'
import type { PublicSettings } from '../web/page-context.ts'
import { buildApp } from './app.ts'
import { openShopDatabase } from './compose-database.ts'
import { listJobs } from './compose-jobs.ts'
import { buildMetricsServer } from './compose-metrics.ts'
import { openServices } from './compose-services.ts'
import { type Config, toMailKind } from './config/config.ts'
import { openResponseCache } from './http/cache.ts'
import { buildProbes } from './http/health.ts'
import { createInvitationEmails } from './modules/customers/service.ts'
import type { PageBuild } from './pages/builds.ts'
import { registerPages } from './pages/register.ts'
import { StartupError, toReason } from './platform/errors.ts'
import { BackgroundWork, startJobs } from './platform/jobs.ts'
import { startTracing } from './platform/telemetry/tracing.ts'

export type Shop = Awaited<ReturnType<typeof composeShop>>

/**
 * Opens the shop: database, identity provider, payment provider, pages; and listens. A worker listens for probes only.
 * @param openPages null to serve no pages
 * @throws StartupError after it has closed everything that was open
 */
export async function composeShop(
  config: Config,
  openPages: (() => Promise<PageBuild>) | null,
  log: FastifyBaseLogger,
) {
  // Closes what is open if the start fails.
  await using cleanup = new AsyncDisposableStack()
  if (config.tracing) cleanup.defer(await startTracing())
  const isWorker = config.role === 'worker'
  const pages = isWorker ? undefined : await openPages?.()
  const database = await openShopDatabase(config, log, cleanup)
  const { connections, pools, replicas } = database
  const db = connections.background
  const cache = openResponseCache({
    maxAgeMs: config.cacheSeconds * 1000,
    maxBytes: config.pageCacheBytes,
    maxReadAgeMs: replicas.maxLagMs,
    isDatabaseDown: () => pools.read.isSuspended,
  })
  const services = await openServices(config, database, log, cleanup)
  const { mail, identity, provider, payments } = services

  const settings: PublicSettings = {
    origin: config.origin,
    stripe: provider.browser,
    google: typeof config.google === 'string' ? config.google : config.google ? 'google' : 'off',
    mail: toMailKind(config),
    production: config.production,
    demo: config.demo,
    picturesUrl: config.pictures.url,
    hasTaxId: config.seller.taxId !== undefined,
    returnDays: config.returnDays,
    countries: config.countries,
    withdrawal: config.withdrawal,
  }
  const work = new BackgroundWork()
  const demo = config.demo ? await openDemoShop(config, db, identity) : null
  const draining = new AbortController()
  const findUnready = () => (draining.signal.aborted ? 'draining' : database.findUnready())
  const app = isWorker
    ? buildProbes(log, findUnready)
    : await buildApp({
        ...services,
        config,
        log,
        connections,
        publicReads: replicas.read,
        pool: pools.write,
        work,
        cache,
        findUnready,
        draining: draining.signal,
        async extend(app) {
          await provider.register(app)
          if (config.mail === 'mailbox') registerMailbox(app, { db, origin: config.origin })
          if (pages)
            await registerPages(app, {
              ...pages,
              publicReads: replicas.read,
              settings,
              reader: services.settings,
              cache,
              assetsDir: config.assetsDir,
            })
        },
      })
  cleanup.defer(() => app.close())
  cleanup.defer(() => work.stop())
  // The metrics port of a worker has the probes.
  if (!(isWorker && config.metrics)) await listen(app, config, '')
  const jobs = listJobs(db, services)
  if (config.metrics) {
    const names = jobs.map(({ name }) => name)
    const metrics = buildMetricsServer({
      config,
      db: connections.read,
      pools,
      replicas,
      cache,
      jobs: names,
      findUnready,
      log,
    })
    cleanup.defer(() => metrics.close())
    await listen(metrics, config.metrics, 'METRICS_')
  }
  const runsJobs = config.role !== 'web'
  const { orderEmails } = payments
  const { returnEmails } = services.returns
  if (mail && orderEmails && returnEmails && runsJobs)
    mail.start({
      ...identity.emails,
      ...createInvitationEmails(services.invitations.links),
      ...orderEmails.renderers,
      ...returnEmails.renderers,
    })
  const opened = cleanup.move()
  return {
    app,
    db,
    accessTokens: identity.accessTokens,
    payments: { ...payments, db: connections.write },
    settings,
    /** Accounts of the demo shop; null if this is not a demo shop. */
    demo,
    /** Starts the background jobs, if this process runs them. Tests run the jobs they need by themselves. */
    startJobs() {
      if (runsJobs) opened.defer(startJobs(db, jobs, log).stop)
    },
    /** Makes the process not ready. It serves requests until it is closed, but keeps no connection open. */
    drain: () => draining.abort(),
    close: () => opened.disposeAsync(),
  }
}

/**
 * Connections that wait to be accepted, as many as Linux allows by default. With Node's 511 a burst loses some, and their
 * clients try again only after 1, 3 and 7 s.
 */
const backlog = 4_096

/** @param prefix the prefix of both setting names */
async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  prefix: '' | 'METRICS_',
): Promise<void> {
  const notLocal = `${prefix}HOST ${host} is not an address of this machine. Set it to localhost or to an address of this machine.`
  const messages: Record<string, string> = {
    EADDRINUSE: `Port ${port} is already in use. Stop the other process or set ${prefix}PORT.`,
    EACCES: `This account can't use port ${port}. Set ${prefix}PORT to a number above 1023.`,
    EADDRNOTAVAIL: notLocal,
    ENOTFOUND: notLocal,
  }
  try {
    await app.listen({ host, port, backlog })
  } catch (error) {
    const message = messages[toReason(error)]
    throw message ? new StartupError(message, { cause: error }) : error
  }
}
