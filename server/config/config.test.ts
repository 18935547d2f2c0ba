import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { StartupError } from '../platform/errors.ts'
import { readConfig, requireSecrets } from './config.ts'

const stripeKeys = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

const production = { NODE_ENV: 'production' }
const sandboxInProduction = { ...production, PAYMENTS: 'sandbox' }

const s3Settings = {
  S3_ENDPOINT: 'https://s3.example.com/',
  S3_REGION: 'eu-central-1',
  S3_BUCKET: 'shop-pictures',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
}

test('without settings the shop is a demo shop on localhost only', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    host: 'localhost',
    port: 3000,
    origin: 'http://localhost:3000',
    databaseUrl: null,
    demo: true,
    stripe: 'sandbox',
    google: 'sandbox',
    adminEmails: [],
    maxRequests: 256,
    connectionsPerNetwork: 1_000,
    cacheSeconds: 1,
    pageCacheBytes: 64 * 1024 * 1024,
    trustedProxies: 0,
    pictures: { store: 'postgres', s3: null, url: null },
    metrics: null,
    tracing: false,
  })
})

test('a blank setting counts as absent', () => {
  expect(readConfig({ PORT: '', HOST: ' ', DATABASE_URL: '' })).toEqual(readConfig({}))
})

test('the origin is built from HOST and PORT, or is PUBLIC_URL', () => {
  expect(readConfig({ PORT: '8080' }).origin).toBe('http://localhost:8080')
  expect(readConfig({ HOST: '0.0.0.0' }).origin).toBe('http://localhost:3000')
  expect(readConfig({ HOST: 'shop.lan' }).origin).toBe('http://shop.lan:3000')
  expect(readConfig({ PUBLIC_URL: 'https://shop.example/' }).origin).toBe('https://shop.example')
})

test('the seller has no name unless it is set, and the lines of an address are separated by bars', () => {
  expect(readConfig({}).seller).toEqual({ name: null, address: [], taxId: undefined, email: null })
  const settings = {
    SELLER_NAME: 'Torque Yard GmbH',
    SELLER_ADDRESS: 'Werkstr. 1 | 10115 Berlin, Mitte |',
    SELLER_TAX_ID: 'DE123456789',
  }
  expect(readConfig(settings).seller).toEqual({
    name: 'Torque Yard GmbH',
    address: ['Werkstr. 1', '10115 Berlin, Mitte'],
    taxId: 'DE123456789',
    email: null,
  })
})

test('COUNTRIES lists codes, and without it the shop serves all countries', () => {
  expect(readConfig({}).countries).toBeNull()
  expect(readConfig({ COUNTRIES: 'de, AT' }).countries).toEqual(['DE', 'AT'])
})

test.each(['development', 'test'])('with NODE_ENV=%s the shop is a demo shop, as without it', (NODE_ENV) => {
  expect(readConfig({ NODE_ENV })).toEqual(readConfig({}))
})

test('admin emails are lower-cased', () => {
  expect(readConfig({ ADMIN_EMAILS: 'Jane@Example.com, ,boss@x.com' }).adminEmails).toEqual([
    'jane@example.com',
    'boss@x.com',
  ])
})

describe('a malformed setting is reported in one line with its name', () => {
  test.each([
    ['PORT', 'abc'],
    ['COUNTRIES', 'DE,UK'],
    ['SELLER_EMAIL', 'shop'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'nonsense'],
    ['DATABASE_REPLICA_URLS', 'postgres://shop@db2/shop'],
    ['DATABASE_REPLICA_URLS', 'postgres://shop@db2/shop,db3', { DATABASE_URL: 'postgres://shop@db/shop' }],
    ['DATABASE_REPLICA_POOL', '0'],
    ['PUBLIC_URL', 'shop.example'],
    ['PUBLIC_URL', 'https://example.com/shop'],
    ['GOOGLE', 'sandbox', { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y' }],
    ['DEMO', 'maybe'],
    ['DEMO_PASSWORD', '12345'],
    ['SHOP_SECRET', 'too short'],
    ['SHOP_PREVIOUS_SECRETS', `${'long enough '.repeat(3)},too short`],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'prod'],
    ['PUBLIC_URL', '', { NODE_ENV: 'production', PAYMENTS: 'sandbox', ROLE: 'worker' }],
    ['PAYMENTS', 'free'],
    ['GOOGLE', 'on'],
    ['STRIPE_API_URL', 'api.stripe.com', stripeKeys],
    ['STRIPE_API_URL', 'https://stripe.example'],
    ['STRIPE_WEBHOOK_SECRET', '', { ...stripeKeys }],
    ['STRIPE_SECRET_KEY', 'pk_live_2', stripeKeys],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_live_2', stripeKeys],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_test_2', stripeKeys],
    ['STRIPE_WEBHOOK_SECRET', 'sk_live_2', stripeKeys],
    ['GOOGLE_CLIENT_SECRET', '', { GOOGLE_CLIENT_ID: 'x' }],
    ['METRICS_PORT', 'on'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['PICTURES', 'disk'],
    ['PICTURES', 's3'],
    ['PICTURES_URL', 'https://pictures.example.com'],
    ['PICTURES_URL', 'pictures.example.com', { ...s3Settings, PICTURES: 's3' }],
    [
      'PICTURES_URL',
      'http://cdn.example.com',
      { ...s3Settings, PICTURES: 's3', PUBLIC_URL: 'https://shop.example' },
    ],
    ['S3_ENDPOINT', 's3.example.com', s3Settings],
    ['S3_BUCKET', 'two words', s3Settings],
    ['S3_SECRET_ACCESS_KEY', '', s3Settings],
    ['SMTP_URL', 'mail.example.com', { MAIL_FROM: 'shop@example.com' }],
    ['SMTP_URL', 'smtp://rider:100%@mail.example.com', { MAIL_FROM: 'shop@example.com' }],
    ['SMTP_URL', 'smtps://mail.example.com'],
    ['MAIL_FROM', 'shop@example.com'],
    ['MAIL_FROM', 'The Shop', { SMTP_URL: 'smtps://mail.example.com' }],
    ['MAIL_FROM', 'The Shop <shop@example.com', { SMTP_URL: 'smtps://mail.example.com' }],
    ['MAIL_FROM', 'a@example.com, b@example.com', { SMTP_URL: 'smtps://mail.example.com' }],
    ['MAIL_FROM', 'Shop\r\nBcc: x@evil.test <shop@example.com>', { SMTP_URL: 'smtps://mail.example.com' }],
  ] as [string, string, Record<string, string>?][])('%s=%s', (name, value, others = {}) => {
    const read = () => readConfig({ ...others, [name]: value })
    expect(read).toThrow(StartupError)
    expect(read).toThrow(new RegExp(`^[^.]*${name}[^\\n]*[.:][^\\n]*$`))
  })

  test('with advice for a password that splits the URL', () => {
    const advice =
      /^DATABASE_URL is not a URL .* Percent-encode special characters in the password, for example %23/
    for (const password of ['a#b', 'a/b', 'a?b']) {
      const DATABASE_URL = `postgres://shop:${password}@db.example.com/shop`
      expect(() => readConfig({ DATABASE_URL })).toThrow(advice)
    }
    expect(() => readConfig({ DATABASE_URL: 'mysql://shop:x@db.example.com/shop' })).not.toThrow(advice)
  })

  test('with its value and the fix', () => {
    const read = () => readConfig({ PORT: 'http' })
    expect(read).toThrow("PORT is 'http'. Set it to a whole number from 1 to 65535.")
  })

  test('without its value if that may contain a secret', () => {
    const received = (settings: Record<string, string>) => {
      try {
        readConfig(settings)
      } catch (error) {
        return String(error)
      }
      return ''
    }
    expect(received({ DATABASE_URL: 'mysql://root:hunter2@db' })).not.toContain('hunter2')
    expect(received({ DATABASE_REPLICA_URLS: 'mysql://root:hunter2@db' })).not.toContain('hunter2')
    const smtp = { SMTP_URL: 'smtp://rider:hunter2%@mail', MAIL_FROM: 'shop@example.com' }
    expect(received(smtp)).toContain('SMTP_URL')
    expect(received(smtp)).not.toContain('hunter2')
    expect(received({ SHOP_SECRET: 'hunter2' })).toContain('SHOP_SECRET')
    expect(received({ SHOP_SECRET: 'hunter2' })).not.toContain('hunter2')
  })
})

describe('secrets are required', () => {
  const url = { DATABASE_URL: 'postgres://shop@db/shop' }
  const secret = { SHOP_SECRET: 'a secret that is long enough for the shop' }

  test.each([
    ['with DATABASE_URL', url, /^With DATABASE_URL, the shop requires SHOP_SECRET/],
    ['in production', sandboxInProduction, /^In production, .* SHOP_SECRET/],
    ['for a demo shop with DATABASE_URL', { ...url, ...secret }, /requires DEMO_PASSWORD.* DEMO=0/],
  ])('%s', (_when, settings, sentence) => {
    expect(() => requireSecrets(readConfig(settings))).toThrow(sentence)
  })

  test('with the file that has the secret so far', () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'config-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true }))
    const start = () => requireSecrets(readConfig({ ...url, DATA_DIR: dataDir }))
    expect(start).not.toThrow(dataDir)
    writeFileSync(path.join(dataDir, 'secret'), 'generated')
    expect(start).toThrow(
      `Set it to the content of ${path.join(dataDir, 'secret')}, which is the secret of this shop so far`,
    )
  })

  test.each([
    ['in a demo shop on one machine', {}],
    ['if they are set', { ...url, ...secret, DEMO_PASSWORD: 'demo-password' }],
    ['without a demo shop', { ...url, ...secret, DEMO: '0' }],
  ])('not %s', (_when, settings) => {
    expect(() => requireSecrets(readConfig(settings))).not.toThrow()
  })
})

test('previous secrets are separated by commas', () => {
  const secrets = ['a former secret of the shop that is long', 'another former secret that is as long']
  expect(readConfig({ SHOP_PREVIOUS_SECRETS: secrets.join(' , ') }).previousSecrets).toEqual(secrets)
  expect(readConfig({}).previousSecrets).toEqual([])
})

describe('in production', () => {
  test('no sandbox is used unless it is set explicitly', () => {
    expect(() => readConfig(production)).toThrow(/STRIPE_SECRET_KEY.*PAYMENTS=sandbox/)
    expect(readConfig(sandboxInProduction).stripe).toBe('sandbox')
    expect(readConfig({ ...production, ...stripeKeys })).toMatchObject({
      demo: false,
      google: null,
      stripe: { secretKey: 'sk_live_1', publishableKey: 'pk_live_1', webhookSecret: 'whsec_1' },
    })
  })

  test('keys and the sandbox conflict', () => {
    expect(() => readConfig({ ...stripeKeys, PAYMENTS: 'sandbox' })).toThrow(/conflicts with/)
  })
})

/** Settings of shops that others than this machine can reach. */
const publicShops: Record<string, string>[] = [
  { HOST: '0.0.0.0' },
  { HOST: 'shop.lan' },
  { PUBLIC_URL: 'https://shop.example' },
  { TRUSTED_PROXIES: '1' },
  { ...sandboxInProduction, DEMO: '1' },
]

test.each(publicShops)(
  'others can reach the shop: no Google sandbox, no unverified admin (%j)',
  (settings) => {
    expect(readConfig(settings)).toMatchObject({
      isPrivate: false,
      google: null,
      trustsUnverifiedAdmins: false,
    })
  },
)

test('unverified admins are trusted only on localhost with the embedded database', () => {
  expect(readConfig({}).trustsUnverifiedAdmins).toBe(true)
  expect(readConfig({ DATABASE_URL: 'postgres://shop@db/shop' }).trustsUnverifiedAdmins).toBe(false)
})

test('the Google sandbox is the default only on localhost', () => {
  expect(readConfig({ HOST: '127.0.0.1' }).google).toBe('sandbox')
  expect(readConfig({ HOST: '0.0.0.0', GOOGLE: 'sandbox' }).google).toBe('sandbox')
  expect(readConfig({ GOOGLE: 'off' }).google).toBeNull()
  const keys = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  expect(readConfig(keys).google).toEqual({ clientId: 'id', clientSecret: 'secret' })
})

test('a mail server has user, password and sender; the scheme selects implicit TLS', () => {
  const MAIL_FROM = 'Torque Yard <shop@example.com>'
  expect(
    readConfig({ SMTP_URL: 'smtps://rider%40example.com:p%3Aw@mail.example.com', MAIL_FROM }).mail,
  ).toEqual({
    host: 'mail.example.com',
    port: 465,
    secure: true,
    login: { user: 'rider@example.com', password: 'p:w' },
    from: { name: 'Torque Yard', address: 'shop@example.com' },
  })
  expect(readConfig({ SMTP_URL: 'smtp://[::1]:2525', MAIL_FROM: 'shop@example.com' }).mail).toEqual({
    host: '::1',
    port: 2525,
    secure: false,
    login: null,
    from: { name: '', address: 'shop@example.com' },
  })
})

test('metrics are served only if they have a port, and to this machine only by default', () => {
  expect(readConfig({ METRICS_HOST: '0.0.0.0' }).metrics).toBeNull()
  expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
  const settings = { METRICS_PORT: '9464', METRICS_HOST: '10.0.0.5' }
  expect(readConfig(settings).metrics).toEqual({ host: '10.0.0.5', port: 9464 })
})

test('pictures are in a bucket if all its settings are there; URLs end without a slash', () => {
  const s3 = {
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    bucket: 'shop-pictures',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  }
  expect(readConfig(s3Settings).pictures).toEqual({ store: 'postgres', s3, url: null })
  const PICTURES_URL = 'https://cdn.example.com/shop/'
  expect(readConfig({ ...s3Settings, PICTURES: 's3', PICTURES_URL }).pictures).toEqual({
    store: 's3',
    s3,
    url: 'https://cdn.example.com/shop',
  })
})

test('the mailbox is used only for a demo shop on localhost; otherwise no email is sent', () => {
  const mail = (settings: Record<string, string>) => readConfig(settings).mail
  expect(mail({})).toBe('mailbox')
  expect(mail({ HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:3000' })).toBe('mailbox')
  for (const settings of [{ DEMO: '0' }, ...publicShops]) {
    expect(mail(settings), JSON.stringify(settings)).toBeNull()
  }
})
