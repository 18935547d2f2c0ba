import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '../db/schema.ts'
import { fileKinds, listDelivered, productSelection, receive, undoOfProducts } from './compose-files.ts'
import type { ShopServices } from './compose-services.ts'
import { type Config, toMailKind } from './config/config.ts'
import { registerApiDocs } from './http/api-docs.ts'
import type { ResponseCache } from './http/cache.ts'
import { answerCacheHits } from './http/cache-hits.ts'
import { openCalls } from './http/calls.ts'
import { registerHealth, type Unready } from './http/health.ts'
import { measureRequests, measureResponse } from './http/http-metrics.ts'
import { type OpenApi, openApi } from './http/openapi.ts'
import { findOtherHosts, redirectToOrigin } from './http/redirect-to-origin.ts'
import { logRefusedRequests } from './http/refused-requests.ts'
import { addSecurityHeaders, fixedHeaders } from './http/security-headers.ts'
import { registerAddresses } from './modules/addresses/routes.ts'
import * as addresses from './modules/addresses/service.ts'
import { registerArchive } from './modules/archive/routes.ts'
import { registerAudit } from './modules/audit/routes.ts'
import { registerBikes } from './modules/bikes/routes.ts'
import { registerCart } from './modules/cart/routes.ts'
import * as productPictures from './modules/catalog/pictures/service.ts'
import { registerCatalog } from './modules/catalog/routes.ts'
import { createLowStockCount, hasStock } from './modules/catalog/service.ts'
import { registerContent } from './modules/content/routes.ts'
import { createMarkdown, hasPosts, listLegalDocuments } from './modules/content/service.ts'
import { registerCustomers } from './modules/customers/routes.ts'
import * as customers from './modules/customers/service.ts'
import { registerStaff } from './modules/customers/staff/routes.ts'
import { registerTwoStep } from './modules/customers/two-step/routes.ts'
import { hasAllStaff } from './modules/customers/two-step/service.ts'
import { registerDesk } from './modules/desk/routes.ts'
import { registerWork } from './modules/desk/work.ts'
import { registerFitment } from './modules/fitment/routes.ts'
import { registerGarage } from './modules/garage/routes.ts'
import { getGarage } from './modules/garage/service.ts'
import { registerImports } from './modules/imports/routes.ts'
import { listOpenImports } from './modules/imports/service.ts'
import { registerInvoices } from './modules/invoices/routes.ts'
import { registerMail } from './modules/mail/routes.ts'
import { countFailedEmails } from './modules/mail/service.ts'
import { registerOrders } from './modules/orders/routes.ts'
import * as orders from './modules/orders/service.ts'
import { registerPayments, registerWebhook, webhookPath } from './modules/payments/routes.ts'
import { countOpenRefunds, listRefunds } from './modules/payments/service.ts'
import { registerPictures } from './modules/pictures/drawings.ts'
import { registerUploadedPictures, registerUploads } from './modules/pictures/routes.ts'
import { registerPricing } from './modules/pricing/routes.ts'
import { canHaveCharges } from './modules/pricing/service.ts'
import { registerReturns } from './modules/returns/routes.ts'
import {
  countOpenReturns,
  findOrderIdsOfReturns,
  hasOpenReturn,
  listReturnable,
  listReturnsOfOrder,
  listWithdrawn,
  presentReturn,
} from './modules/returns/service.ts'
import { registerReviews } from './modules/reviews/routes.ts'
import { registerSeo } from './modules/seo/routes.ts'
import { registerSettings } from './modules/settings/routes.ts'
import { toRoutedUrl } from './pages/register.ts'
import type { Connections } from './platform/database/database.ts'
import type { PublicReads } from './platform/database/replicas.ts'
import { handleBadUrl, handleErrors, sendNotFound } from './platform/errors.ts'
import {
  drainConnections,
  handleClientError,
  limitConnections,
  limitUnread,
  trackResponses,
} from './platform/http/connections.ts'
import { addRequestIds, readRequestId } from './platform/http/request-id.ts'
import {
  handleUnsupportedRequests,
  limitBodies,
  limitLoad,
  limitRequests,
  readJsonStrictly,
  requestLimits,
} from './platform/http/request-limits.ts'
import { limitDatabaseTime } from './platform/http/response-timeout.ts'
import type { BackgroundWork } from './platform/jobs.ts'

interface AppDeps extends Omit<ShopServices, 'provider'> {
  config: Config
  log: FastifyBaseLogger
  connections: Connections
  /** The pool of `connections.background`, for queries that stream their rows. */
  pool: Pool
  publicReads: PublicReads
  /** Work that continues after the response was sent. */
  work: BackgroundWork
  cache: ResponseCache
  findUnready: () => Unready | null
  /** Aborts when the process should get no more requests, before it closes. */
  draining: AbortSignal
  /** Registers the sandboxes and the pages. */
  extend: (app: FastifyInstance) => Promise<void>
}

/** Creates the server with all routes. It does not listen yet. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, connections } = deps
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    // The log adds the id of the request to every line automatically.
    childLoggerFactory: (log) => log,
    genReqId: (request) => readRequestId(request, config.trustedProxies > 0),
    trustProxy: (_ip, hop) => hop < config.trustedProxies,
    bodyLimit: 100 * 1024,
    // Set both: Node applies the longer of the two limits to the whole request. Uploads have more time.
    requestTimeout: requestLimits.timeoutMs,
    http: {
      headersTimeout: requestLimits.timeoutMs,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: requestLimits.headerBytes,
      requireHostHeader: false,
    },
    clientErrorHandler: handleClientError,
    rewriteUrl: ({ url = '/' }) => toRoutedUrl(url),
    frameworkErrors: handleBadUrl(fixedHeaders(config.origin)),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
  })
  // Hooks of every request take a callback: promises would slow down cache hits measurably.
  // A trace needs the hooks of Fastify.
  if (!config.tracing)
    answerCacheHits(app, {
      cache: deps.cache,
      hasProxy: config.trustedProxies > 0,
      draining: deps.draining,
      isRedirected: findOtherHosts(config.origin),
      measure: config.metrics ? measureResponse : undefined,
    })
  addRequestIds(app)
  limitDatabaseTime(app)
  if (config.metrics || config.tracing) measureRequests(app, config.trustedProxies > 0)
  drainConnections(app, deps.draining)
  trackResponses(app)
  limitUnread(app, { maxStalledMs: 30_000, maxUnreadBytes: 64 * 1024 * 1024, checkIntervalMs: 1_000 })
  logRefusedRequests(app)
  addSecurityHeaders(app, config.origin)
  if (config.trustedProxies === 0) limitConnections(app, config.connectionsPerNetwork)
  limitLoad(app, { maxRequests: config.maxRequests, isExempt })
  limitBodies(app, { maxBodies: 4 * config.maxRequests, maxUploads: 16 })
  limitRequests(app)
  readJsonStrictly(app)
  handleUnsupportedRequests(app.server)
  handleErrors(app)
  app.setNotFoundHandler(sendNotFound)

  redirectToOrigin(app, config.origin)
  registerHealth(app, deps.findUnready)
  registerPictures(app)
  registerUploadedPictures(app, deps.pictureStore)
  registerSeo(app, { db: connections.read, origin: config.origin, settings: deps.settings })
  deps.identity.routes(app)
  await app.register((api) => registerApi(api, deps), { prefix: '/api' })
  await deps.extend(app)
  return app
}

/** Paths without a load limit: probes, files, payment webhooks and the sandboxes. */
const exemptPaths = new RegExp(`^/(healthz|readyz)$|^/(assets|pictures|sandbox)/|^/api${webhookPath}$`)
const isExempt = ({ url }: FastifyRequest) => exemptPaths.test(url)

async function registerApi(api: FastifyInstance, deps: AppDeps): Promise<void> {
  const { config, log, connections, publicReads, cache, identity, payments, pictureStore, rateLimiter } = deps
  const { settings } = deps
  const readSeller = async (db: Kysely<Database>) => (await settings.read(db, true)).seller
  const { write, background } = connections
  api.addHook('onRequest', (_request, reply, done) => {
    reply.header('Cache-Control', 'no-store')
    done()
  })
  api.setNotFoundHandler(sendNotFound)

  const calls = openCalls(api, {
    connections,
    publicReads,
    identify: (db, token, ip) => customers.identifyCaller(db, identity.accessTokens, token, ip),
    cache,
  })
  registerCatalog(calls, deps.pool)
  const admins = { emails: config.adminEmails, trustUnverified: config.trustsUnverifiedAdmins }
  registerCustomers(calls, { ...identity, rateLimiter, pictureStore, admins, moveNotes: orders.moveNotes })
  registerTwoStep(calls, {
    keys: deps.twoStepKeys,
    rateLimiter,
    readShopName: async (db) => (await settings.read(db, true)).face.name,
  })
  registerStaff(calls, deps.invitations)
  registerBikes(calls, deps.pool)
  registerFitment(calls, deps.pool)
  registerGarage(calls)
  registerAddresses(calls)
  registerCart(calls, rateLimiter)
  registerPricing(calls)
  registerOrders(calls, {
    ...payments,
    origin: config.origin,
    rateLimiter,
    pool: deps.pool,
    readSeller,
    listRefunds,
    listReturns: async (db, orderId) => (await listReturnsOfOrder(db, orderId)).map(presentReturn),
    hasOpenReturn,
    listWithdrawn,
    listReturnable: (db, order) => listReturnable(db, order, config),
  })
  registerPayments(calls, { ...payments, rateLimiter, pool: deps.pool })
  registerReturns(calls, { ...deps.returns, rateLimiter })
  registerInvoices(calls, { orderKeys: payments.orderKeys, readSeller })
  registerDesk(calls, {
    searchOrders: orders.searchOrders,
    searchCustomers: customers.searchCustomers,
    countOrdersByEmail: orders.countOrdersByEmail,
    findAccount: async (db, email) => {
      const customer = await customers.findCustomerByEmail(db, email)
      return (
        customer && {
          ...customer,
          isVerified: await customers.hasVerifiedIdentity(db, customer.id),
          role: customers.toStaffRole(customer),
        }
      )
    },
    readOrdersOf: orders.readOrdersOf,
    listAddresses: addresses.listAddresses,
    listBikes: async (db, customerId) => (await getGarage(db, customerId)).bikes,
    listNotes: orders.listNotes,
  })
  registerArchive(calls)
  registerMail(calls, {
    mail: deps.mail,
    readSender: deps.readSender,
    findOrderIds: async (db, subjects) =>
      new Map([...(await orders.findOrderIds(db, subjects)), ...(await findOrderIdsOfReturns(db, subjects))]),
  })
  registerWork(calls, {
    countOrders: orders.countOpenOrders,
    countFailedRefunds: async (db) => (await countOpenRefunds(db)).failed,
    countFailedEmails,
    // It reads all watched variants.
    countLowStock: createLowStockCount(config.cacheSeconds > 0 ? 60_000 : 0),
    listOpenImports,
    countOpenReturns,
    listOrdersByCode: orders.listOrdersByCode,
    listVariantsByCode: orders.listVariantsByCode,
  })
  registerReviews(calls, rateLimiter)
  registerContent(calls, createMarkdown(config.pictures.url))
  registerUploads(calls, pictureStore, productPictures)
  registerAudit(calls)
  registerSettings(calls, {
    configured: {
      origin: config.origin,
      webhookPath: `/api${webhookPath}`,
      isDemo: config.demo,
      hasStripe: config.stripe !== 'sandbox',
      mail: toMailKind(config),
    },
    hasStock,
    canHaveCharges,
    hasOwner: customers.hasOwner,
    hasTwoStep: hasAllStaff,
    legalDocuments: listLegalDocuments,
    hasPosts,
  })
  const imports = {
    db: background,
    log,
    work: deps.work,
    kinds: fileKinds,
    undo: undoOfProducts,
    selection: productSelection,
    receive,
    listDelivered,
  }
  registerImports(calls, imports, write, deps.pool)
  await registerWebhook(api, { ...payments, rateLimiter, db: write })

  // Created on first use, because it would take a tenth of the startup time.
  let document: OpenApi | undefined
  api.get('/openapi.json', async () => {
    document ??= openApi()
    const { face } = await settings.read(connections.read)
    return { ...document, info: { title: face.name, ...document.info } }
  })
  registerApiDocs(api)
}
