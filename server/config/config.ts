import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countryCodes } from '../../contract/address-rules.ts'
import type { SmtpSettings } from '../modules/mail/service.ts'
import type { StripeSettings } from '../modules/payments/stripe.ts'
import type { S3Settings } from '../modules/pictures/service.ts'
import { StartupError } from '../platform/errors.ts'
import { type Environment, Settings } from './environment.ts'

/** Settings of this process, see docs/operations.md. A demo shop needs none. */
export type Config = ReturnType<typeof readConfig>

export interface StripeKeys extends StripeSettings {
  publishableKey: string
}

/** The files of this build for browsers. */
export const builtAssets = fileURLToPath(new URL('../../build/client/assets', import.meta.url))

const ownNames = ['localhost', '127.0.0.1', '[::1]']
const postgresSchemes = ['postgres:', 'postgresql:']
const nodeEnvironments = ['production', 'development', 'test']
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export const isProduction = (environment: Environment): boolean =>
  new Settings(environment).text('NODE_ENV') === 'production'

/**
 * Reads all settings. No other code reads the environment.
 *
 * @throws StartupError for the first malformed setting
 */
export function readConfig(environment: Environment) {
  const settings = new Settings(environment)
  // A misspelt name must not open a demo shop with its sandboxes.
  settings.choice('NODE_ENV', nodeEnvironments)
  const production = isProduction(environment)
  const host = settings.text('HOST') ?? 'localhost'
  const port = settings.integer('PORT', 3000, 1, 65_535)
  const isLoopback = ['localhost', '127.0.0.1', '::1'].includes(host)
  const publicUrl = settings.origin('PUBLIC_URL')
  const role = settings.choice('ROLE', ['all', 'web', 'worker']) ?? 'all'
  if (production && role === 'worker') requirePublicUrl(publicUrl)
  const origin = publicUrl ?? ownOrigin(host, isLoopback, port)
  const demo = settings.flag('DEMO', !production)
  const trustedProxies = settings.integer('TRUSTED_PROXIES', 0, 0, 10)
  const isPrivate =
    !production && isLoopback && trustedProxies === 0 && ownNames.includes(new URL(origin).hostname)
  return {
    /** NODE_ENV=production: the demo shop and the sandboxes must be enabled explicitly. */
    production,
    /** `web` serves and runs no jobs, `worker` runs jobs and has only probes, `all` does both. */
    role,
    host,
    /** Whether only this machine can reach the shop: not in production, not behind a proxy, on a loopback name. */
    isPrivate,
    port,
    /** The public origin, without a trailing slash. */
    origin,
    /** Folder with the files of this build and of earlier ones. */
    assetsDir: resolve(settings.text('ASSETS_DIR') ?? builtAssets),
    dataDir: resolve(settings.text('DATA_DIR') ?? '.data'),
    /** Null: the shop starts an embedded Postgres in the data folder. */
    databaseUrl: settings.url('DATABASE_URL', postgresSchemes),
    /** `off`: the shop does not start on a schema that is too old. */
    migrate: settings.choice('MIGRATE', ['start', 'off']) ?? 'start',
    poolSize: settings.integer('DATABASE_POOL', 20, 3, 500),
    /** Standbys for public reads, with the maximum number of connections to each. */
    replicas: readReplicas(settings),
    /** Whether statements are prepared by name, which PgBouncer before 1.21 does not support. */
    preparedStatements: settings.choice('DATABASE_PREPARED', ['on', 'off']) !== 'off',
    /** Signs tokens and cookies; null: generated and stored in the data folder. */
    secret: settings.secret('SHOP_SECRET', 32),
    /** Former secrets, which still verify and decrypt. */
    previousSecrets: settings.secrets('SHOP_PREVIOUS_SECRETS', 32),
    /** Whether an email in ADMIN_EMAILS counts without a verification. */
    trustsUnverifiedAdmins: isPrivate && settings.text('DATABASE_URL') === null,
    /** Emails of customers who become admins when they sign in. */
    adminEmails: (settings.text('ADMIN_EMAILS') ?? '')
      .split(',')
      .map((email) => email.trim().toLowerCase())
      .filter(Boolean),
    /** Whether the demo products and accounts are added to an empty database. */
    demo,
    /** Password of the demo accounts; null: generated and stored in the data folder. */
    demoPassword: settings.secret('DEMO_PASSWORD', 6),
    stripe: readStripe(settings, production),
    google: readGoogle(settings, isPrivate),
    /** Mail transport; null: the shop sends no email. */
    mail: readMail(settings, demo && isPrivate),
    pictures: readPictures(settings, origin),
    /** Unpaid orders expire after this time and release their stock; guest orders expire sooner. */
    unpaidOrderHours: settings.integer('UNPAID_ORDER_HOURS', 72, 1, 8760),
    unpaidGuestOrderMinutes: settings.integer('UNPAID_GUEST_ORDER_MINUTES', 60, 5, 10_080),
    unpaidOrdersPerCustomer: settings.integer('UNPAID_ORDERS_PER_CUSTOMER', 10, 1, 1_000_000),
    guestOrdersPerEmail: settings.integer('GUEST_ORDERS_PER_EMAIL', 3, 1, 1_000_000),
    guestOrdersPerNetwork: settings.integer('GUEST_ORDERS_PER_NETWORK', 10, 1, 1_000_000),
    /** Calls that ask the payment provider, in 10 minutes from one network. */
    paymentCallsPerNetwork: settings.integer('PAYMENT_CALLS_PER_NETWORK', 60, 1, 1_000_000),
    /** The countries to which orders go; null: all. */
    countries: readCountries(settings),
    /** The email about a shipment waits for this time, in which the staff can undo it. */
    shippingUndoSeconds: settings.integer('SHIPPING_UNDO_SECONDS', 10, 0, 300),
    returnDays: settings.integer('RETURN_DAYS', 30, 0, 3650),
    withdrawal: settings.flag('WITHDRAWAL', true),
    guestOrderPieces: settings.integer('GUEST_ORDER_PIECES', 50, 1, 1_000_000),
    /** Reviews in 24 hours by one customer, and from one network. */
    reviewsPerDay: settings.integer('REVIEWS_PER_DAY', 5, 1, 1_000_000),
    /** The shop on invoices, credit notes and packing slips and in emails, unless an admin has saved it. */
    seller: readSeller(settings),
    /** Whether unknown emails and wrong passwords get the same message, 'Login failed'. */
    mergeSignInMessages: settings.flag('MERGE_SIGN_IN_MESSAGES', false),
    /** Limit of concurrent requests. Requests above it get a 503. */
    maxRequests: settings.integer('MAX_REQUESTS', 256, 16, 100_000),
    /** Limit of open connections of each network, without a proxy in front of the shop. */
    connectionsPerNetwork: settings.integer('CONNECTIONS_PER_NETWORK', 1_000, 16, 1_000_000),
    /** Cached pages and public responses are reused for this time without a query. */
    cacheSeconds: settings.integer('CACHE_SECONDS', 1, 0, 60),
    /** Memory limit of the response cache. */
    pageCacheBytes: settings.integer('PAGE_CACHE_MB', 64, 1, 16_384) * 1024 * 1024,
    /** Seconds in which requests are still served after SIGTERM, while the process is not ready. */
    drainSeconds: settings.integer('DRAIN_SECONDS', 0, 0, 3600),
    /** The metrics server; null: there is none. It has no access control, so its port must never be public. */
    metrics: readMetrics(settings),
    /** Whether traces are exported. The OpenTelemetry SDK itself reads this and further `OTEL_…` variables. */
    tracing: settings.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']) !== null,
    /** Number of reverse proxies that add the client IP to X-Forwarded-For. */
    trustedProxies,
    logLevel: settings.choice('LOG_LEVEL', logLevels) ?? (production ? 'info' : 'warn'),
  }
}

/**
 * Checks that the shop need not store a secret on this machine. Commands such as `npm run backup` need none.
 *
 * @throws StartupError for the first missing setting
 */
export function requireSecrets(config: Config): void {
  const { production, databaseUrl, secret, demo, demoPassword } = config
  const isShared = databaseUrl !== null
  const reason = isShared ? 'With DATABASE_URL' : 'In production'
  if (secret === null && (isShared || production)) {
    const file = join(config.dataDir, 'secret')
    const value = existsSync(file)
      ? `the content of ${file}, which is the secret of this shop so far; for a new shop, to at least 32 random characters`
      : 'at least 32 random characters'
    throw new StartupError(
      `${reason}, the shop requires SHOP_SECRET. Set it to ${value}, the same for all processes.`,
    )
  }
  if (isShared && demo && demoPassword === null) {
    throw new StartupError(
      `${reason}, the demo shop requires DEMO_PASSWORD. Set it, or set DEMO=0 to start without the demo shop.`,
    )
  }
}

/** The links in emails need it, and a worker has another address than the shop. */
function requirePublicUrl(publicUrl: string | null): void {
  if (publicUrl === null) {
    throw new StartupError(
      'In production, a worker requires PUBLIC_URL. Set it to the address that browsers use, such as https://shop.example.com.',
    )
  }
}

function ownOrigin(host: string, isLoopback: boolean, port: number): string {
  const isAnywhere = host === '0.0.0.0' || host === '::'
  return `http://${isLoopback || isAnywhere ? 'localhost' : host}:${port}`
}

function readStripe(settings: Settings, production: boolean): StripeKeys | 'sandbox' {
  const keys = settings.allOrNone({
    secretKey: 'STRIPE_SECRET_KEY',
    publishableKey: 'STRIPE_PUBLISHABLE_KEY',
    webhookSecret: 'STRIPE_WEBHOOK_SECRET',
  })
  const sandbox = settings.choice('PAYMENTS', ['sandbox']) === 'sandbox'
  if (keys && sandbox) {
    throw new StartupError('PAYMENTS=sandbox conflicts with the STRIPE_… keys. Remove one of them.')
  }
  if (!keys && production && !sandbox) {
    throw new StartupError(
      'In production, payments require STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET. Set them, or set PAYMENTS=sandbox to accept only test cards.',
    )
  }
  if (!keys && settings.text('STRIPE_API_URL')) {
    throw new StartupError('STRIPE_API_URL needs the three Stripe keys. Set them, or remove it.')
  }
  if (!keys) return 'sandbox'
  requireStripeKeys(keys)
  return { ...keys, ...stripeApi(settings) }
}

/** A secret key in place of the publishable one would be on every page. */
function requireStripeKeys({ secretKey, publishableKey, webhookSecret }: StripeKeys): void {
  const kinds = [
    ['STRIPE_SECRET_KEY', secretKey, /^[rs]k_/, 'sk_ or rk_'],
    ['STRIPE_PUBLISHABLE_KEY', publishableKey, /^pk_/, 'pk_'],
    ['STRIPE_WEBHOOK_SECRET', webhookSecret, /^whsec_/, 'whsec_'],
  ] as const
  for (const [name, key, pattern, start] of kinds) {
    if (!pattern.test(key))
      throw new StartupError(`${name} must start with ${start}. Check the three Stripe keys.`)
  }
  const isTest = (key: string) => key.includes('_test_')
  if (isTest(secretKey) !== isTest(publishableKey)) {
    throw new StartupError(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys.',
    )
  }
}

function stripeApi(settings: Settings): Pick<StripeKeys, 'api'> {
  const url = settings.url('STRIPE_API_URL', ['http:', 'https:'])
  if (!url) return {}
  const { protocol, hostname, port } = new URL(url)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return { api: { protocol: scheme, host: hostname, port: Number(port || (scheme === 'https' ? 443 : 80)) } }
}

/** The sandbox accepts any identity, so it is the default only in a shop that only this machine can reach. */
function readGoogle(
  settings: Settings,
  isPrivate: boolean,
): { clientId: string; clientSecret: string } | 'sandbox' | null {
  const keys = settings.allOrNone({ clientId: 'GOOGLE_CLIENT_ID', clientSecret: 'GOOGLE_CLIENT_SECRET' })
  const choice = settings.choice('GOOGLE', ['sandbox', 'off'])
  if (keys && choice === 'sandbox') {
    throw new StartupError('GOOGLE=sandbox conflicts with the GOOGLE_… keys. Remove one of them.')
  }
  if (choice === 'off') return null
  if (keys) return keys
  return choice === 'sandbox' || isPrivate ? 'sandbox' : null
}

/**
 * Returns the mail server, else the demo mailbox, else null.
 *
 * @param hasMailbox the mailbox shows password reset links to everyone, so it requires a demo shop that only this
 *   machine can reach
 */
function readMail(settings: Settings, hasMailbox: boolean): SmtpSettings | 'mailbox' | null {
  const smtpUrl = settings.url('SMTP_URL', ['smtp:', 'smtps:'])
  const from = settings.text('MAIL_FROM')
  if (smtpUrl && from) return { ...readServer(smtpUrl), from: readSender(from) }
  if (smtpUrl || from) {
    throw new StartupError('Set both SMTP_URL and MAIL_FROM, or neither.')
  }
  return hasMailbox ? 'mailbox' : null
}

/** Returns how email is sent. */
export const toMailKind = ({ mail }: Config) => (typeof mail === 'string' ? mail : mail ? 'smtp' : 'off')

/** Error messages do not contain the URL, because it may hold a password. */
function readServer(smtpUrl: string): Omit<SmtpSettings, 'from'> {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  try {
    const user = decodeURIComponent(url.username)
    const password = decodeURIComponent(url.password)
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port || (secure ? 465 : 587)),
      secure,
      login: user ? { user, password } : null,
    }
  } catch (error) {
    throw new StartupError(
      'SMTP_URL has an invalid user or password. Percent-encode special characters, for example %40 for @.',
      { cause: error },
    )
  }
}

function readSender(text: string): SmtpSettings['from'] {
  const found = /^(?:([^<>"\p{Cc}]*)<)?([^\s<>@,;"]+@[^\s<>@,;"]+?)>?$/u.exec(text)
  const [, name = '', address] = found ?? []
  if (address && text.includes('<') === text.endsWith('>')) return { name: name.trim(), address }
  throw new StartupError("MAIL_FROM is not a valid sender. Use a form such as 'The Shop <shop@example.com>'.")
}

function readSeller(settings: Settings) {
  // Not a comma, which is part of most addresses.
  const address = (settings.text('SELLER_ADDRESS') ?? '').split('|')
  return {
    /** Null: the name of the shop. */
    name: settings.text('SELLER_NAME'),
    address: address.map((line) => line.trim()).filter(Boolean),
    taxId: settings.text('SELLER_TAX_ID') ?? undefined,
    /** In the footer of emails; null: they have only a link to the contact page. */
    email: readContactEmail(settings),
  }
}

function readCountries(settings: Settings): string[] | null {
  const codes = settings.text('COUNTRIES')?.split(',')
  if (!codes) return null
  const countries = codes.map((code) => code.trim().toUpperCase())
  const unknown = countries.find((code) => !countryCodes.includes(code))
  if (unknown === undefined) return countries
  throw new StartupError(
    `COUNTRIES has '${unknown}', which is not a country code of ISO 3166. Use codes such as DE,AT,CH.`,
  )
}

function readContactEmail(settings: Settings): string | null {
  const email = settings.text('SELLER_EMAIL')
  if (email === null || /^[^\s<>@,;"]+@[^\s<>@,;"]+$/.test(email)) return email
  throw new StartupError('SELLER_EMAIL is not a valid email. Use a form such as shop@example.com.')
}

function readReplicas(settings: Settings): { urls: string[]; poolSize: number } {
  const urls = settings.urls('DATABASE_REPLICA_URLS', postgresSchemes)
  if (urls.length > 0 && settings.text('DATABASE_URL') === null) {
    throw new StartupError('DATABASE_REPLICA_URLS requires DATABASE_URL. Set it, or remove the replicas.')
  }
  return { urls, poolSize: settings.integer('DATABASE_REPLICA_POOL', 10, 1, 500) }
}

function readMetrics(settings: Settings): { host: string; port: number } | null {
  const port = settings.integer('METRICS_PORT', 0, 1, 65_535)
  return port === 0 ? null : { host: settings.text('METRICS_HOST') ?? '127.0.0.1', port }
}

/** Where uploaded pictures are. `s3` may be set with the other store: `npm run move-pictures` uses both. */
function readPictures(
  settings: Settings,
  origin: string,
): {
  store: 'postgres' | 's3'
  s3: S3Settings | null
  /** Public URL of the bucket, without a trailing slash; null: the shop serves the pictures. */
  url: string | null
} {
  const s3 = readS3(settings)
  const url = settings.url('PICTURES_URL', ['https:', 'http:'])?.replace(/\/+$/, '') ?? null
  if (settings.choice('PICTURES', ['postgres', 's3']) !== 's3') {
    if (url)
      throw new StartupError('PICTURES_URL requires PICTURES=s3. Set PICTURES, or remove PICTURES_URL.')
    return { store: 'postgres', s3, url: null }
  }
  if (!s3) {
    const names = 'S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'
    throw new StartupError(`PICTURES=s3 requires ${names}. Set them, or remove PICTURES.`)
  }
  if (url?.startsWith('http:') && origin.startsWith('https:')) {
    throw new StartupError(
      'PICTURES_URL must start with https: as PUBLIC_URL does, because browsers block pictures at http: in such a shop.',
    )
  }
  return { store: 's3', s3, url }
}

function readS3(settings: Settings): S3Settings | null {
  const s3 = settings.allOrNone({
    endpoint: 'S3_ENDPOINT',
    region: 'S3_REGION',
    bucket: 'S3_BUCKET',
    accessKeyId: 'S3_ACCESS_KEY_ID',
    secretAccessKey: 'S3_SECRET_ACCESS_KEY',
  })
  const endpoint = settings.url('S3_ENDPOINT', ['https:', 'http:'])
  if (!s3 || !endpoint) return null
  if (!/^[a-z0-9][\w.-]{1,61}[a-z0-9]$/i.test(s3.bucket)) {
    throw new StartupError(`S3_BUCKET is '${s3.bucket}', which is not a valid name of a bucket. Correct it.`)
  }
  return { ...s3, endpoint: endpoint.replace(/\/+$/, '') }
}
