import { globSync, readFileSync } from 'node:fs'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { LegalPage } from '../../contract/documents.ts'
import { errors } from '../../contract/errors.ts'
import { productPath } from '../../contract/product.ts'
import { defaultSettings } from '../../tests/published-settings.ts'
import type { PageQueries, PublicSettings } from '../../web/page-context.ts'
import { openProductionBuild } from './builds.ts'
import { createPageSource, type PageSource, type RenderOptions, renderUnavailable } from './render.ts'

const settings: PublicSettings = {
  origin: 'http://localhost:3000',
  stripe: { publishableKey: 'pk_test_of_the_tests', script: null },
  google: 'off',
  mail: 'off',
  production: false,
  demo: false,
  picturesUrl: null,
  hasTaxId: false,
  returnDays: 30,
  countries: null,
  withdrawal: true,
}

const { face: shop, details } = defaultSettings
const shopSettings = { hasBikes: false, legalPages: [], shop, details }
const lastSettings = () => shopSettings

const productFit = async () => ({ complete: false, fitments: [], total: 0 })

/** Returns the option of the renderer for queries that the test replaces. */
const withQueries =
  (queries: object): RenderOptions['withQueries'] =>
  (_fresh, work) =>
    work({
      settings: async () => shopSettings,
      delivery: async () => '',
      redirect: async () => null,
      ...queries,
    } as Partial<PageQueries> as PageQueries)

/** Reads and renders the page at a URL. */
async function load(toSource: PageSource, url: string) {
  const { read, render } = toSource(url)
  return render(await read(false))
}

test('the page for an overloaded shop reads no data, needs no script, and is not cached', async () => {
  const options = {
    ...(await openProductionBuild()),
    withQueries: withQueries({}),
    settings,
    lastSettings,
    log: pino({ level: 'silent' }),
  }
  const page = await renderUnavailable(options, shopSettings)
  const html = page.body.toString()
  expect(page.status).toBe(503)
  expect(page.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' })
  expect(html).toContain('The shop is temporarily unavailable')
  expect(html).toMatch(/<a href=""[^>]*>Try again<\/a>/)
  expect(html).toContain('rel="stylesheet"')
  expect(html).not.toMatch(/<script|modulepreload/)
})

test('the page for an overloaded shop has the legal links that a page has read last', async () => {
  let legalPages: LegalPage[] = []
  const toSource = await createPageSource({
    ...(await openProductionBuild()),
    withQueries: withQueries({ settings: async () => ({ ...shopSettings, legalPages }) }),
    settings,
    lastSettings,
    log: pino({ level: 'silent' }),
  })
  const { read, unavailable } = toSource('/contact-us')
  await read(false)
  expect(unavailable?.().body.toString()).not.toContain('/page/imprint')
  legalPages = [{ title: 'Imprint', path: '/page/imprint' }]
  await read(false)
  expect(unavailable?.().body.toString()).toContain('href="/page/imprint"')
})

test('the data of a missing or deleted page contain an error in the shape of the API', async () => {
  const read: Record<string, unknown> = { gone: 'gone', never: null }
  const toSource = await createPageSource({
    ...(await openProductionBuild()),
    withQueries: withQueries({ productPage: async (id: string) => read[id], productFit }),
    settings,
    lastSettings,
    log: pino({ level: 'silent' }),
  })
  const missing = (title: string) => ({ missing: { title, text: expect.any(String) } })
  for (const [path, code, data] of [
    ['/nowhere.data', 'NOT_FOUND', null],
    ['/product/never.data', 'NOT_FOUND', missing('Product not found')],
    ['/product/gone.data', 'GONE', missing('This product is no longer available')],
  ] as const) {
    const { status, body } = await load(toSource, path)
    const { message, status: expected } = errors[code]
    expect(JSON.parse(body.toString())).toEqual({
      code,
      message,
      data,
      status: expected,
      settings: { hasBikes: false, legalPages: [] },
    })
    expect(status).toBe(expected)
  }
})

/** Renders the page of these reviews and returns it with the log lines. */
async function reviewsPage(reviews: unknown[] | null) {
  const logged: string[] = []
  const toSource = await createPageSource({
    ...(await openProductionBuild()),
    withQueries: withQueries({ reviews: async () => reviews && { reviews, total: reviews.length } }),
    settings,
    lastSettings,
    log: pino({}, { write: (line) => void logged.push(line) }),
  })
  const { status, body } = await load(toSource, '/reviews')
  return { status, html: body.toString(), logged }
}

test('a page that fails to render shows an error, and the failure is logged', async () => {
  const { status, html, logged } = await reviewsPage(null)
  expect(status).toBe(500)
  expect(html).toContain('This page could not be loaded')
  expect(html).toContain('<meta name="robots" content="noindex"/>')
  expect(logged.join()).toMatch(/"level":50.*as it is null.*"msg":"unexpected error"/)
})

/** Renders the page of a product with these settings. */
async function productPage(image: string, changed: Partial<PublicSettings>) {
  const product = {
    _id: '1',
    name: 'Chain',
    price: 9,
    quantity: 1,
    minimum: 1,
    image,
    description: '',
    variants: [],
  }
  const toSource = await createPageSource({
    ...(await openProductionBuild()),
    withQueries: withQueries({ productPage: async () => ({ product, related: [] }), productFit }),
    settings: { ...settings, ...changed },
    lastSettings,
    log: pino({ level: 'silent' }),
  })
  const { status, headers, body } = await load(toSource, productPath(product))
  expect(status).toBe(200)
  return { headers, html: body.toString() }
}

test('with a public bucket, pages link its pictures, which their policy allows', async () => {
  const image = `/pictures/uploaded/${'0'.repeat(32)}-320.jpeg`
  const { headers, html } = await productPage(image, { picturesUrl: 'https://cdn.example.com' })
  expect(html).toContain(`src="https://cdn.example.com/pictures/${'0'.repeat(32)}-320.jpeg"`)
  expect(headers['content-security-policy']).toMatch(/img-src [^;]*https:/)
})

test('a product page of a shop in production has no invented number of reviews', async () => {
  const image = '/pictures/chain.svg'
  expect((await productPage(image, { production: false })).html).toContain('>4 Reviews<')
  expect((await productPage(image, { production: true })).html).toContain('>0 Reviews<')
})

test('a page offers to choose a bike only if the shop has bikes', async () => {
  const open = async (hasBikes: boolean) => {
    const toSource = await createPageSource({
      ...(await openProductionBuild()),
      withQueries: withQueries({ settings: async () => ({ ...shopSettings, hasBikes }) }),
      settings,
      lastSettings,
      log: pino({ level: 'silent' }),
    })
    const { status, body } = await load(toSource, '/contact-us')
    expect(status).toBe(200)
    return body.toString()
  }
  expect(await open(true)).toContain('>Choose your bike</a>')
  expect(await open(false)).not.toContain('Choose your bike')
})

test('no text can end the data block of a page', async () => {
  const text = '</script><script>alert(1)</script><!--'
  const review = {
    _id: '1',
    name: text,
    photo: '',
    email: 'r***@example.com',
    designation: text,
    review: text,
  }
  const { status, html } = await reviewsPage([review])
  expect(status).toBe(200)
  const [, data = ''] = /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(html) ?? []
  expect(JSON.parse(data)).toMatchObject({ data: { reviews: [{ review: text }] } })
  expect(html).not.toContain(text)
})

test("pages are rendered by React's production build, regardless of NODE_ENV", () => {
  const built = globSync('build/server/**/*.js').map((path) => readFileSync(path, 'utf8'))
  expect(built.length).toBeGreaterThan(0)
  for (const text of built) {
    expect(text).not.toMatch(/^import .* from "react/m)
    expect(text).not.toMatch(/react-(dom|jsx)[\w-]*\.development|process\.env\.NODE_ENV/)
  }
})
