import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { defaultFooter, defaultStats } from '../../../contract/default-settings.ts'
import { type LegalKind, legalKinds } from '../../../contract/documents.ts'
import { defaultEmailTexts } from '../../../contract/email-texts.ts'
import type { SettingGroup } from '../../../contract/settings.ts'
import { anAdmin, aProduct } from '../../../tests/factories.ts'
import { settingsCalls } from '../../../tests/published-settings.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { lockUnused } from '../pictures/queries.ts'
import { markUnused } from '../pictures/repository.ts'
import { createSettingsReader } from './service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const save = (name: SettingGroup, body: object, etag = '"0"') =>
  shop.call(settingsCalls[name], { as: admin, headers: { 'if-match': etag }, body })
const read = (name: SettingGroup) => shop.call('getSettings', { as: admin, params: { name } })
const reset = (name: SettingGroup, etag: string) =>
  shop.call('resetSettings', { as: admin, params: { name }, headers: { 'if-match': etag } })

async function upload(): Promise<string> {
  const picture = await sharp({ create: { width: 320, height: 80, channels: 4, background: '#0a7a5c' } })
    .png()
    .toBuffer()
  const response = await fetch(`${shop.config.origin}/api/v1/pictures`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'image/png' },
    body: new Uint8Array(picture),
  })
  return ((await response.json()) as { image: string }).image
}

/** Returns a picture that nothing uses. */
async function findUnused() {
  await markUnused(shop.db)
  return lockUnused(shop.db, -1, '')
}

const company = {
  name: 'Held Out Motos',
  legalName: 'Held Out Motos LLC',
  email: 'hi@motos.example',
  phone: '+1 555 0100',
  street: '1 Kickstand Lane',
  postalCode: '78701',
  city: 'Austin',
  country: 'US',
}

describe('a group of settings', () => {
  test('is empty before it is saved, and has the saved fields afterwards', async () => {
    expect(await read('shop')).toMatchObject({ status: 200, body: {} })
    const saved = await save('shop', { ...company, tagline: '', hours: [] })
    expect(saved).toMatchObject({ status: 200, body: { ...company, hours: [] } })
    const { body, headers } = await read('shop')
    expect(body).toEqual({ ...company, hours: [] })
    expect(headers.get('etag')).toBe('"1"')
  })

  test('is not replaced if it has another version, and the present values are sent', async () => {
    await save('shop', { name: 'First' })
    expect(await save('shop', { name: 'Second' })).toMatchObject({
      status: 412,
      body: { code: 'SETTINGS_CHANGED', value: { name: 'First' }, etag: '"1"' },
    })
    expect(await save('shop', { name: 'Second' }, '"2"')).toMatchObject({ status: 412 })
    expect(await save('footer', { columns: [] }, '"1"')).toMatchObject({ status: 412 })
    expect(await save('shop', { name: 'Second' }, 'W/"1"')).toMatchObject({ status: 200 })
    expect((await shop.call('saveShopSettings', { as: admin, headers: {}, body: {} })).status).toBe(400)
  })

  test('has the same version after a save without changes', async () => {
    await save('shop', { name: 'First' })
    expect((await save('shop', { name: 'First', city: '' }, '"1"')).headers.get('etag')).toBe('"1"')
  })

  test('has the same version after a save that is repeated without its response', async () => {
    await save('shop', { name: 'First' })
    await save('shop', { name: 'Second' }, '"1"')
    const repeated = await save('shop', { name: 'Second' }, '"1"')
    expect(repeated).toMatchObject({ status: 200, body: { name: 'Second' } })
    expect(repeated.headers.get('etag')).toBe('"2"')
  })

  test('has its defaults after a reset, with a new version', async () => {
    await save('footer', { columns: [{ title: 'Help', links: [{ label: 'Contact', href: '/contact-us' }] }] })
    expect(await reset('footer', '"0"')).toMatchObject({ status: 412 })
    expect(await reset('footer', '"1"')).toMatchObject({ status: 200, body: {} })
    expect((await read('footer')).headers.get('etag')).toBe('"2"')
    const { face } = await createSettingsReader({ maxAgeMs: 0, seller: shop.config.seller }).read(shop.db)
    expect(face.columns).toEqual(defaultFooter)
  })

  test('is in the audit with each change', async () => {
    await save('footer', { columns: [{ title: 'Help', links: [{ label: 'Contact', href: '/contact-us' }] }] })
    await save('shop', { name: 'Held Out Motos', latitude: 1.5, longitude: 2 })
    await reset('shop', '"1"')
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'settings' } })).body
    expect(entries.map(({ kind, by, subject, changes }) => [kind, by?.email, subject.name, changes])).toEqual(
      [
        [
          'edited',
          admin.email,
          'shop',
          [
            { field: 'latitude', before: '1.5' },
            { field: 'longitude', before: '2' },
            { field: 'name', before: 'Held Out Motos' },
          ],
        ],
        [
          'edited',
          admin.email,
          'shop',
          [
            { field: 'latitude', after: '1.5' },
            { field: 'longitude', after: '2' },
            { field: 'name', after: 'Held Out Motos' },
          ],
        ],
        ['edited', admin.email, 'footer', [{ field: 'columns', after: 'Help: Contact /contact-us' }]],
      ],
    )
  })

  const column = { title: 'Help', links: [] }
  const banner = { title: 'Sale', text: '', picture: '', href: '' }
  test.each([
    ['shop', 'name', { name: 'x'.repeat(31) }],
    ['shop', 'name', { name: 'Held\u202eOut' }],
    ['shop', 'email', { email: 'motos.example' }],
    ['shop', 'country', { country: 'XX' }],
    ['shop', 'latitude', { latitude: 1 }],
    ['shop', 'latitude', { latitude: 91, longitude: 1 }],
    ['shop', 'hours.0.opens', { hours: [{ from: 'Monday', to: 'Friday', opens: '9', closes: '18:00' }] }],
    ['shop', 'social.0', { social: ['javascript:alert(1)'] }],
    ['shop', 'social.0', { social: ['/reviews'] }],
    ['shop', 'social', { social: Array.from({ length: 9 }, () => 'https://motos.example') }],
    ['brand', 'accent', { accent: 'red;}body{display:none' }],
    ['brand', 'accent', { accent: '#12345' }],
    ['brand', 'logo', { logo: 'https://motos.example/logo.png' }],
    ['footer', 'columns', { columns: Array.from({ length: 5 }, () => column) }],
    ['footer', 'columns.0.title', { columns: [{ ...column, title: ' ' }] }],
    [
      'footer',
      'columns.0.links.0.href',
      { columns: [{ ...column, links: [{ label: 'A', href: '//x.example' }] }] },
    ],
    ['footer', 'columns.0.links.0.label', { columns: [{ ...column, links: [{ label: '', href: '/' }] }] }],
    ['home', 'lines.0', { lines: ['x'.repeat(21)] }],
    ['home', 'lines', { lines: ['a', 'b', 'c'] }],
    ['home', 'href', { href: 'javascript:alert(1)' }],
    ['home', 'picture', { picture: 'https://motos.example/hero.jpeg' }],
    ['home', 'productIds', { productIds: Array.from({ length: 9 }, (_, index) => `p${index}`) }],
    ['home', 'banners', { banners: Array.from({ length: 4 }, () => banner) }],
    ['home', 'banners.0.title', { banners: [{ ...banner, title: '' }] }],
    ['home', 'banners.0.href', { banners: [{ ...banner, href: '//x.example' }] }],
    ['home', 'stats', { stats: [{ figure: '7', label: 'Lifts' }] }],
    ['emails', 'order-received.subject', { 'order-received': { subject: 'Paid\r\nBcc: all@motos.example' } }],
    ['emails', 'order-received.subject', { 'order-received': { subject: 'x'.repeat(121) } }],
    ['emails', 'order-received.before', { 'order-received': { before: 'x'.repeat(1001) } }],
  ] as const)('%s: a wrong %s is an error of its field (%j)', async (name, field, body) => {
    expect(await save(name, body)).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
    expect((await read(name)).body).toEqual({})
  })
})

describe('the brand', () => {
  test('does not take a colour that is hard to read, and the message names the nearest one', async () => {
    const { status, body } = await save('brand', { accent: '#E63900', accentOnDark: '#23262c' })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'CONTRAST_TOO_LOW',
      fields: {
        accent: 'This colour is hard to read: 3.6 to 1. At least 4.5 is needed, for example #ca3200.',
        accentOnDark: expect.stringMatching(/hard to read: 1\.0 to 1\..* for example #[0-9a-f]{6}\.$/),
      },
    })
    expect((await save('brand', { accent: '#CA3200' })).body).toEqual({ accent: '#ca3200' })
  })

  test('takes only pictures that the shop has, and they are not deleted', async () => {
    const unknown = `/pictures/uploaded/${'0'.repeat(32)}-320.jpeg`
    expect(await save('brand', { logo: unknown })).toMatchObject(
      refused('PICTURE_NOT_FOUND', { fields: { logo: expect.any(String) } }),
    )
    const logo = await upload()
    expect(await save('brand', { icon: logo.replace('-320.', '-640.') })).toMatchObject({ status: 422 })
    expect((await findUnused())?.widest).toBe(320)
    expect((await save('brand', { logo, icon: logo })).body).toEqual({ logo, icon: logo })
    expect(await findUnused()).toBeUndefined()
  })

  test('has square icons of the uploaded picture', async () => {
    const hash = /uploaded\/([0-9a-f]{32})/.exec(await upload())?.[1] ?? ''
    for (const size of [32, 180, 512]) {
      const response = await fetch(`${shop.config.origin}/pictures/icon/${hash}-${size}.png`)
      expect(response.headers.get('cache-control')).toContain('immutable')
      const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
      expect({ format, width, height }).toEqual({ format: 'png', width: size, height: size })
    }
    for (const path of [`${hash}-64.png`, `${'0'.repeat(32)}-32.png`])
      expect((await fetch(`${shop.config.origin}/pictures/icon/${path}`)).status).toBe(404)
  })
})

describe('the home page', () => {
  test('takes only pictures that the shop has, and they are not deleted', async () => {
    const banner = { title: 'Sale', text: '', picture: '', href: '/products' }
    const unknown = `/pictures/uploaded/${'0'.repeat(32)}-320.jpeg`
    expect(await save('home', { banners: [banner, { ...banner, picture: unknown }] })).toMatchObject(
      refused('PICTURE_NOT_FOUND', { fields: { 'banners.1.picture': expect.any(String) } }),
    )
    const picture = await upload()
    expect((await save('home', { banners: [{ ...banner, picture }] })).status).toBe(200)
    expect(await findUnused()).toBeUndefined()
    expect((await save('home', { picture }, '"1"')).status).toBe(200)
    expect(await findUnused()).toBeUndefined()
    expect((await save('home', {}, '"2"')).status).toBe(200)
    expect(await findUnused()).toBeDefined()
  })
})

describe('the texts of emails', () => {
  const subject = 'Thanks for order #{orderNumber}'

  test('are saved without the default ones, and only with placeholders of the email', async () => {
    const { after } = defaultEmailTexts['order-received']
    const body = { 'order-received': { subject, before: '', after }, 'order-placed': { subject: '' } }
    expect((await save('emails', body)).body).toEqual({ 'order-received': { subject, before: '' } })
    const wrong = { 'password-reset': { before: 'Hello {name}' }, 'order-received': { subject: '{ total }' } }
    expect(await save('emails', wrong, '"1"')).toMatchObject(
      refused('PLACEHOLDER_UNKNOWN', {
        fields: {
          'password-reset.before': '{name} is not available in this email. Available: {shopName}.',
          'order-received.subject':
            '{ total } is not available in this email. Available: {orderNumber}, {total}, {nextState}, {shopName}.',
        },
      }),
    )
  })

  test('are saved beside unchanged texts of another email that have become invalid', async () => {
    await save('emails', { 'order-received': { subject } })
    const tooLong = 'x'.repeat(1001)
    const invalid = { 'password-reset': { before: 'Hello {name}' }, 'order-placed': { after: tooLong } }
    await shop.db
      .updateTable('shop_settings')
      .set({ value: JSON.stringify(invalid) })
      .where('name', '=', 'emails')
      .execute()
    const body = { ...invalid, 'order-received': { subject: 'Thank you' } }
    expect(await save('emails', body, '"1"')).toMatchObject({ status: 200, body })
    const changed = { ...body, 'password-reset': { before: 'Hi {name}' } }
    expect(await save('emails', changed, '"2"')).toMatchObject(refused('PLACEHOLDER_UNKNOWN'))
    const longer = { ...body, 'order-placed': { after: `${tooLong}x` } }
    expect(await save('emails', longer, '"2"')).toMatchObject(
      refused('INVALID_REQUEST', { fields: { 'order-placed.after': 'At most 1000 characters' } }),
    )
    const { emails } = await createSettingsReader({ maxAgeMs: 0, seller: shop.config.seller }).read(shop.db)
    expect(emails).not.toHaveProperty('order-placed')
    expect(emails).toHaveProperty('order-received', body['order-received'])
    const { 'password-reset': _, ...restored } = body
    expect(await save('emails', restored, '"2"')).toMatchObject({ status: 200, body: restored })
  })

  test('are shown with the values of an example before they are saved', async () => {
    await save('shop', { name: 'Held Out Motos' })
    const draft = { kind: 'order-received' as const, subject, before: 'Hi from {shopName}', after: '<b>' }
    const { body } = await shop.call('previewEmail', { as: admin, body: draft })
    expect(body.subject).toBe('Thanks for order #26c624')
    expect(body.text).toMatch(/^Hi from Held Out Motos\n\nOrder: #26c624\n/)
    expect(body.html).toContain('&lt;b&gt;')
    expect(body.html).not.toMatch(/<b>|Torque Yard/)
    const wrong = { as: admin, body: { ...draft, after: '{name}' } }
    const error = refused('PLACEHOLDER_UNKNOWN', { fields: { after: expect.stringContaining('{name}') } })
    expect(await shop.call('previewEmail', wrong)).toMatchObject(error)
    expect(await shop.call('testEmail', wrong)).toMatchObject(error)
    expect(await shop.call('testEmail', { as: admin, body: draft })).toMatchObject(refused('MAIL_OFF'))
  })
})

test('feed, API document, invoices and packing slips have the name and the address', async () => {
  await aProduct(shop)
  const titles = async () => {
    const [feed, document] = await Promise.all(
      ['/feeds/products.xml', '/api/openapi.json'].map(async (path) =>
        (await fetch(shop.config.origin + path)).text(),
      ),
    )
    return [
      /<title>([^<]*)/.exec(feed ?? '')?.[1],
      (JSON.parse(document ?? '{}') as { info: { title: string } }).info.title,
    ]
  }
  expect(await titles()).toEqual(['Torque Yard', 'Torque Yard'])
  expect((await save('shop', company)).status).toBe(200)
  expect(await titles()).toEqual(['Held Out Motos', 'Held Out Motos'])
  const slips = await shop.call('takePackingSlips', { as: admin, body: { next: 1 } })
  expect(slips.body.sender).toEqual({
    name: 'Held Out Motos LLC',
    address: ['1 Kickstand Lane', 'Austin 78701', 'United States'],
  })
})

interface TestDocument {
  kind: 'page' | 'post'
  slug: string
  legalKind?: LegalKind
}

const documentText = { title: 'A title', summary: '', category: '', image: '', body: 'A text' }

const addDraft = (document: TestDocument) =>
  shop.call('addDocument', { as: admin, body: { ...document, ...documentText } })

/** @param at undefined: now */
async function publish(document: TestDocument, at?: string) {
  const { body, headers } = await addDraft(document)
  const published = await shop.call('publishDocument', {
    as: admin,
    params: { id: body.id },
    headers: { 'if-match': headers.get('etag') ?? '' },
    body: { at },
  })
  expect(published.status).toBe(200)
  return published.body
}

test('a shop with a name of its own has no map until its place is saved', async () => {
  const reader = createSettingsReader({ maxAgeMs: 0, seller: shop.config.seller })
  expect((await reader.read(shop.db)).details.contact.isDefaultPlace).toBe(true)
  await save('shop', { name: 'Held Out Motos' })
  const { contact } = (await reader.read(shop.db)).details
  expect(contact).toMatchObject({ place: null, isDefaultPlace: false })
})

test('a later read of a replica that lags does not replace the settings of a fresh read', async () => {
  const reader = createSettingsReader({ maxAgeMs: 0, seller: shop.config.seller })
  // A snapshot, as a replica has it.
  await shop.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (replica) => {
      await reader.read(replica)
      await save('shop', { name: 'Held Out Motos' })
      const { promise: replicaHasResponded, resolve } = Promise.withResolvers<void>()
      const primary = shop.db.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          await replicaHasResponded
          return result
        },
      })
      const fresh = reader.read(primary, true)
      expect((await reader.read(replica)).face.name).toBe('Torque Yard')
      resolve()
      expect((await fresh).face.name).toBe('Held Out Motos')
    })
})

describe('the set-up', () => {
  const states = async () => {
    const { items } = (await shop.call('getSetup', { as: admin })).body
    return Object.fromEntries(items.map(({ id, state }) => [id, state]))
  }

  test('lists what is missing, with the page or the variables that fix it', async () => {
    const { items } = (await shop.call('getSetup', { as: admin })).body
    expect(
      items.filter(
        ({ state, links, settings, action }) => state !== 'done' && !links && !settings && !action,
      ),
    ).toEqual([])
    expect(items.find(({ id }) => id === 'payments')?.value?.text).toBe(
      `${shop.config.origin}/api/v1/payments/webhook`,
    )
    expect(await states()).toEqual({
      contact: 'missing',
      imprint: 'missing',
      terms: 'missing',
      privacy: 'missing',
      withdrawal: 'missing',
      shipping: 'missing',
      placeholders: 'missing',
      demo: 'done',
      stock: 'missing',
      payments: 'missing',
      email: 'missing',
      https: 'missing',
      owner: 'done',
      charges: 'optional',
      'two-step': 'optional',
      logo: 'optional',
      home: 'optional',
      post: 'optional',
    })
  })

  test('has an item done as soon as its values are saved', async () => {
    await aProduct(shop, { quantity: 1 })
    await save('shop', company)
    await save('brand', { logo: await upload() })
    await save('home', { button: 'All parts' })
    await publish({ kind: 'page', legalKind: 'imprint', slug: 'imprint' })
    await publish({ kind: 'post', slug: 'first' })
    const tax = { place: 'US', label: 'Sales tax', rate: 8.875, included: false, taxesShipping: true }
    await shop.call('saveTaxRate', { as: admin, params: { id: randomUUID() }, body: tax })
    expect(await states()).toMatchObject({
      contact: 'done',
      imprint: 'done',
      terms: 'missing',
      stock: 'done',
      charges: 'done',
      logo: 'done',
      home: 'done',
      post: 'done',
    })
  })

  test('links a legal page that exists but is not visible', async () => {
    const draft = (await addDraft({ kind: 'page', legalKind: 'imprint', slug: 'imprint' })).body
    const planned = await publish({ kind: 'page', legalKind: 'terms', slug: 'terms' }, '2099-01-01T00:00:00Z')
    const privacy = await publish({ kind: 'page', legalKind: 'privacy', slug: 'privacy' })
    await shop.call('archiveDocument', { as: admin, params: { id: privacy.id } })
    const returns = await publish({ kind: 'page', slug: 'returns' })
    const archived = await shop.call('archiveDocument', { as: admin, params: { id: returns.id } })
    await shop.call('saveDocument', {
      as: admin,
      params: { id: returns.id },
      headers: { 'if-match': archived.headers.get('etag') ?? '' },
      body: { slug: 'returns', legalKind: 'withdrawal', ...documentText },
    })
    const { items } = (await shop.call('getSetup', { as: admin })).body
    const legal = items.filter(({ id }) => legalKinds.some((kind) => kind === id))
    const edit = (id: string) => `/dashboard/edit-page/${id}`
    expect(legal.map(({ state, text, links }) => [state, text, links])).toEqual([
      [
        'missing',
        'The shop has not published an imprint: the page is a draft.',
        [{ label: 'Finish the imprint', href: edit(draft.id) }],
      ],
      [
        'missing',
        'The shop has not published terms: the page is scheduled.',
        [{ label: 'Edit the terms', href: edit(planned.id) }],
      ],
      // An archived page leaves its place to another one.
      [
        'missing',
        'The shop has not published a privacy policy.',
        [{ label: 'Add a privacy policy', href: edit('new?legal=privacy') }],
      ],
      [
        'missing',
        'The shop has not published a page about the right of withdrawal: the page is archived.',
        [{ label: 'Edit the page about the right of withdrawal', href: edit(returns.id) }],
      ],
      ['missing', 'The shop has not published a page about shipping.', [expect.anything()]],
    ])
  })

  test('names the placeholder texts, which one call removes with one entry in the audit', async () => {
    const read = async () => {
      const { items } = (await shop.call('getSetup', { as: admin })).body
      return items.find(({ id }) => id === 'placeholders')
    }
    const reader = createSettingsReader({ maxAgeMs: 0, seller: shop.config.seller })
    expect(await read()).toMatchObject({
      action: 'remove-placeholders',
      text: 'The shop still shows invented figures, sample posts and links without a target.',
    })
    const link = { label: 'Write to us', href: '/contact-us' }
    await save('footer', {
      columns: [
        { title: 'Help', links: [link, { label: 'Jobs', href: '' }] },
        { title: 'Company', links: [{ label: 'Press', href: '' }] },
      ],
    })
    await publish({ kind: 'post', slug: 'first' })
    expect((await read())?.text).toBe('The shop still shows invented figures and links without a target.')
    await save('home', { button: 'All parts' })

    expect(await shop.call('removePlaceholders', { as: admin })).toMatchObject({ body: { modifiedCount: 1 } })
    expect(await shop.call('removePlaceholders', { as: admin })).toMatchObject({ body: { modifiedCount: 0 } })
    expect(await read()).toMatchObject({ state: 'done' })
    const { face, details } = await reader.read(shop.db)
    expect(face.columns).toEqual([{ title: 'Help', links: [link] }])
    expect(details).toMatchObject({
      hasSamplePosts: false,
      home: { stats: [], hero: { button: 'All parts' } },
    })
    const { entries } = (await shop.call('listAudit', { as: admin, query: { area: 'settings' } })).body
    expect(entries.map(({ subject, changes }) => [subject.name, changes])).toEqual([
      ['home', [{ field: 'placeholders', after: 'false' }]],
      ['home', [{ field: 'button', after: 'All parts' }]],
      ['footer', expect.anything()],
    ])
    // Figures of the shop itself are not invented.
    const stats = Array.from({ length: 4 }, () => ({ figure: '7', label: 'Lifts' }))
    await save('home', { stats, placeholders: false }, '"2"')
    expect((await reader.read(shop.db)).details.home.stats).toEqual(stats)
    // The default ones are, even if an admin has saved them.
    await save('home', { stats: defaultStats, placeholders: false }, '"3"')
    expect((await read())?.text).toBe('The shop still shows invented figures.')
    expect(await shop.call('removePlaceholders', { as: admin })).toMatchObject({ body: { modifiedCount: 1 } })
    expect((await reader.read(shop.db)).details.home.stats).toEqual([])
    expect(await read()).toMatchObject({ state: 'done' })
  })
})

test('settings that this version cannot read have their defaults, the others of the group stay', async () => {
  const value = { name: 'Held Out Motos', email: 5, hours: 'always', future: true }
  await shop.db
    .insertInto('shop_settings')
    .values({ name: 'shop', value: JSON.stringify(value) })
    .execute()
  await shop.db.insertInto('shop_settings').values({ name: 'later', value: '{}' }).execute()
  const { face, details } = await createSettingsReader({ maxAgeMs: 0, seller: shop.config.seller }).read(
    shop.db,
  )
  expect(face.name).toBe('Held Out Motos')
  expect(details.contact).toMatchObject({ email: '', hours: [] })
})

test.each([
  ['shop', { name: 'Held Out Motos', latitude: 1.5, longitude: 'east' }],
  ['home', { button: 'All parts', href: 'javascript:alert(1)', stats: [{ figure: 5 }] }],
  ['emails', { 'order-received': { subject: 'Thanks' }, 'order-placed': { subject: 5 }, later: {} }],
])('a field of %s that this version cannot read has its default, and no other one', async (name, saved) => {
  await shop.db
    .insertInto('shop_settings')
    .values({ name, value: JSON.stringify(saved) })
    .execute()
  const { face, details, emails } = await createSettingsReader({
    maxAgeMs: 0,
    seller: shop.config.seller,
  }).read(shop.db)
  expect({
    name: face.name,
    isDefaultPlace: details.contact.isDefaultPlace,
    button: details.home.hero.button,
    href: details.home.hero.href,
    emails,
  }).toEqual({
    name: name === 'shop' ? 'Held Out Motos' : 'Torque Yard',
    isDefaultPlace: name !== 'shop',
    button: name === 'home' ? 'All parts' : 'Read More',
    href: '/products',
    emails: name === 'emails' ? { 'order-received': { subject: 'Thanks' } } : {},
  })
})
