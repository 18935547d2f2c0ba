import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { openGoogleSandbox } from '../sandboxes/google/google.ts'
import { openMailbox } from '../sandboxes/mailbox/mailbox.ts'
import { registerMailbox } from '../sandboxes/mailbox/page.ts'
import { openDemoShop } from '../seed/demo-shop.ts'
import type { PublicSettings } from '../web/page-context.ts'
import { buildApp } from './app.ts'
import { rowTables } from './compose-files.ts'
import { buildMetricsServer } from './compose-metrics.ts'
import { openPayments } from './compose-payments.ts'
import type { Config } from './config/config.ts'
import { openResponseCache } from './http/cache.ts'
import { buildProbes } from './http/health.ts'
import { compactCounts } from './modules/catalog/service.ts'
import * as customers from './modules/customers/service.ts'
import { openIdentity, realGoogle } from './modules/identity/service.ts'
import { deleteOldRows } from './modules/imports/service.ts'
import { openMail, openSmtpMailer } from './modules/mail/service.ts'
import { createOrderKeys, openOrderEmails, orderEmailLimits } from './modules/orders/service.ts'
import { expireUnpaidOrders } from './modules/payments/cancellation.ts'
import { reconcilePayments, retryRefunds } from './modules/payments/jobs.ts'
import {
  countStoreRequests,
  deleteUnusedPictures,
  openPostgresStore,
  openS3Store,
} from './modules/pictures/service.ts'
import { reviewLimits } from './modules/reviews/service.ts'
import { isMigrated, openShopDatabase } from './open-database.ts'
import type { PageBuild } from './pages/builds.ts'
import { registerPages } from './pages/register.ts'
import { watchDatabase } from './platform/database/database-watch.ts'
import { StartupError, toReason } from './platform/errors.ts'
import { BackgroundWork, hourMs, type Job, minuteMs, startJobs } from './platform/jobs.ts'
import { deleteEndedWindows, openRateLimiter } from './platform/rate-limiter.ts'
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
  const { db, pool, reads, replicas, writes, databaseUrl, secrets } = await openShopDatabase(
    config,
    log,
    cleanup,
  )
  const databaseWatch = await watchDatabase(databaseUrl, {
    pools: [pool, reads.pool],
    log,
    isMigrated,
    onHeartbeat: replicas.onHeartbeat,
  })
  cleanup.defer(databaseWatch.close)
  const cache = openResponseCache({
    maxAgeMs: config.cacheSeconds * 1000,
    maxBytes: config.pageCacheBytes,
    maxReadAgeMs: replicas.maxLagMs,
    isDatabaseDown: () => reads.pool.isSuspended,
  })

  const mailer = config.mail === 'mailbox' ? openMailbox(db) : config.mail && openSmtpMailer(config.mail)
  const mail = mailer && openMail({ db, mailer, log })
  if (mail) cleanup.defer(mail.close)
  const google =
    config.google === 'sandbox'
      ? openGoogleSandbox({ origin: config.origin, secrets, verifiesEmails: config.isPrivate })
      : config.google && realGoogle(config.google)
  const identity = await openIdentity({
    ...config,
    google,
    ...writes,
    secrets,
    outbox: mail?.outbox ?? null,
    onPasswordReset: customers.voidTokensOfIdentity,
    log,
  })
  const payments = await openPayments({ config, databaseUrl, secret: secrets[0], log }, cleanup)

  const settings: PublicSettings = {
    origin: config.origin,
    stripe: payments.browser,
    google: typeof config.google === 'string' ? config.google : config.google ? 'google' : 'off',
    mail: typeof config.mail === 'string' ? config.mail : config.mail ? 'smtp' : 'off',
    demo: config.demo,
    picturesUrl: config.pictures.url,
  }
  const rateLimiter = openRateLimiter(writes.db, secrets[0], {
    ...customers.photoLimits,
    ...reviewLimits(config.reviewsPerDay),
    ...orderEmailLimits,
  })
  const orderKeys = createOrderKeys(secrets)
  const orderEmails =
    mail && openOrderEmails({ ...config, rateLimiter, terms: config, orderKeys, outbox: mail.outbox, log })
  const paymentDeps = {
    db: writes.db,
    gateway: payments.gateway,
    log,
    orderEmails,
    orderKeys,
    terms: config,
  }
  const paymentJobs = { ...paymentDeps, db }
  const { store, s3 } = config.pictures
  const pictureStore = countStoreRequests(
    store === 's3' && s3 ? openS3Store(s3, log) : openPostgresStore(writes.db, reads.db),
  )
  const work = new BackgroundWork()
  const demo = config.demo ? await openDemoShop(config, db, identity) : null
  const draining = new AbortController()
  const findUnready = () => (draining.signal.aborted ? 'draining' : databaseWatch.findUnready())
  const app = isWorker
    ? buildProbes(log, findUnready)
    : await buildApp({
        db,
        readDb: reads.db,
        publicReads: replicas.read,
        pool,
        work,
        payments: paymentDeps,
        rateLimiter,
        pictureStore,
        cache,
        config,
        identity,
        findUnready,
        draining: draining.signal,
        async extend(app) {
          await payments.register(app)
          if (config.mail === 'mailbox') registerMailbox(app, { db, origin: config.origin })
          if (pages)
            await registerPages(app, {
              ...pages,
              publicReads: replicas.read,
              settings,
              cache,
              assetsDir: config.assetsDir,
            })
        },
      })
  cleanup.defer(() => app.close())
  cleanup.defer(() => work.stop())
  // The metrics port of a worker has the probes.
  if (!(isWorker && config.metrics)) await listen(app, config, '')
  const jobs: Job[] = [
    {
      name: 'reconcile payments',
      intervalMs: minuteMs,
      run: (signal) => reconcilePayments(paymentJobs, signal),
    },
    { name: 'retry refunds', intervalMs: minuteMs, run: (signal) => retryRefunds(paymentJobs, signal) },
    {
      name: 'expire unpaid orders',
      intervalMs: minuteMs,
      run: (signal) => expireUnpaidOrders(paymentJobs, signal),
    },
    {
      name: 'fetch profile photos',
      intervalMs: 10_000,
      run: (signal) => customers.fetchPhotos({ db, store: pictureStore }, signal),
    },
    { name: 'compact product counts', intervalMs: 10 * minuteMs, run: () => compactCounts(db) },
    { name: 'delete expired sessions', intervalMs: hourMs, run: () => identity.deleteExpired(db) },
    { name: 'delete ended rate limits', intervalMs: hourMs, run: () => deleteEndedWindows(db) },
    {
      name: 'delete unused pictures',
      intervalMs: 10 * minuteMs,
      run: (signal) => deleteUnusedPictures({ db, store: pictureStore, log }, signal),
    },
    { name: 'delete rows of old imports', intervalMs: hourMs, run: () => deleteOldRows(db, rowTables) },
  ]
  if (config.metrics) {
    const pools = { write: pool, read: reads.pool, ...replicas.pools }
    const metrics = buildMetricsServer({
      config,
      db: reads.db,
      pools,
      replicas,
      cache,
      jobs: jobs.map(({ name }) => name),
      findUnready,
      log,
    })
    cleanup.defer(() => metrics.close())
    await listen(metrics, config.metrics, 'METRICS_')
  }
  const runsJobs = config.role !== 'web'
  if (mail && orderEmails && runsJobs) mail.start({ ...identity.emails, ...orderEmails.renderers })
  const opened = cleanup.move()
  return {
    app,
    db,
    accessTokens: identity.accessTokens,
    payments: paymentDeps,
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

/** @param prefix of the names of both settings */
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
    await app.listen({ host, port })
  } catch (error) {
    const message = messages[toReason(error)]
    throw message ? new StartupError(message, { cause: error }) : error
  }
}
