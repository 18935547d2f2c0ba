import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { legalKinds } from '../../contract/documents.ts'
import { type MailServer, openMailServer } from '../mail-server.ts'
import { addPart } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { type RunningShop, startShop } from './running-shop.ts'
import { callAs } from './specification-steps.ts'
import { enter, enterAsNewRider, newEmail, payGuestOrder } from './steps.ts'
import { test as base, expect } from './test.ts'

const boss = 'boss@example.com'

/** A new shop without products, reviews and orders. */
const test = base.extend<object, { shop: RunningShop; mail: MailServer }>({
  mail: [
    async ({}, use) => {
      const mail = await openMailServer()
      await use(mail)
      await mail.close()
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ mail }, use) => {
      const shop = await startShop({
        DEMO: '0',
        ADMIN_EMAILS: boss,
        TRUSTED_PROXIES: '0',
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        MAIL_FROM: 'shop@motos.example',
      })
      await use(shop)
      await shop.stop()
    },
    { scope: 'worker' },
  ],
})

// The second story continues with the shop of the first.
test.describe.configure({ mode: 'serial' })

test('a shop without data works', async ({ page }) => {
  await test.step('an empty shop shows on every page what will be there', async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/motorcycle/i)
    await expect(page.getByRole('article')).toHaveCount(0)
    for (const title of ['No products yet', 'No reviews yet']) {
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
    }
    for (const [path, title] of [
      ['/products', 'No products yet'],
      ['/reviews', 'No reviews yet'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
    }
    await page.goto('/products')
    await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('search')).toHaveCount(0)
    await page.goto('/blogs')
    await expect(page.getByRole('article')).toHaveCount(3)
    await enterAsNewRider(page)
    await page.goto('/dashboard/my-orders')
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
    await page.getByRole('link', { name: 'Browse the products' }).click()
    await expect(page).toHaveURL(/\/products$/)
  })

  await test.step('an admin of an empty shop finds the link to add the first product', async () => {
    await enterAsNewRider(page, boss)
    await page.goto('/dashboard/manage-orders')
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
    await page.goto('/dashboard/manage-users')
    await expect(page.getByRole('row').filter({ hasText: boss })).toContainText('Already an Admin')
    await page.goto('/dashboard/manage-products')
    await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Add Product' }).last().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add Product')
  })
})

const phone = { width: 360, height: 740 }

/** Replaces a group of settings that was not saved yet. */
async function saveSettings(page: Page, name: string, data: object): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const headers = { authorization: `Bearer ${token}`, 'if-match': '"0"' }
  const reply = await page.request.put(`/api/v1/settings/${name}`, { headers, data })
  expect(reply.status(), name).toBe(200)
}

/** Adds and publishes a page. */
async function publishPage(
  page: Page,
  document: { slug: string; title: string; legalKind: string },
): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const headers = { authorization: `Bearer ${token}` }
  const data = { kind: 'page', summary: '', category: '', image: '', body: 'A text.', ...document }
  const added = await page.request.post('/api/v1/documents', { headers, data })
  const { id } = (await added.json()) as { id: string }
  const published = await page.request.post(`/api/v1/documents/${id}/publication`, {
    headers: { ...headers, 'if-match': added.headers().etag ?? '' },
    data: {},
  })
  expect(published.status(), document.slug).toBe(200)
}

test('the owner follows Set-up to its end, and nothing that visitors get has the default name', async ({
  page,
  mail,
  openOther,
}) => {
  test.slow()
  await page.setViewportSize(phone)
  await enter(page, boss)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const follow = async (link: string) => {
    await page.goto('/dashboard/shop')
    await page.getByRole('link', { name: link, exact: true }).click()
  }
  const save = async () => {
    const loaded = page.waitForEvent('load')
    await button('Save').click()
    await loaded
    await expect(page.getByText('Settings saved', { exact: true })).toBeVisible()
  }
  const png = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#0a7a5c' } })
      .png()
      .toBuffer()
  const picture = async (width: number, height: number) => ({
    name: 'picture.png',
    mimeType: 'image/png',
    buffer: await png(width, height),
  })

  await test.step('name and contact, logo and colours', async () => {
    await page.goto('/dashboard/shop')
    await expect(page.getByText('10 of 13 left before you can sell')).toBeVisible()
    await page.getByRole('link', { name: 'Enter name and contact' }).click()
    for (const [label, text] of [
      ['Name', 'Held Out Motos'],
      ['Email', 'hi@motos.example'],
      ['Street and number', '1 Kickstand Lane'],
      ['City', 'Austin'],
    ] as const)
      await field(label).fill(text)
    await field('Country').selectOption('United States')
    await save()
    await follow('Upload a logo')
    const logo = page.getByRole('group', { name: 'Logo on light' })
    await logo.locator('input[type=file]').setInputFiles(await picture(320, 72))
    await expect(logo.getByRole('img')).toBeVisible()
    await field('Buttons and links').fill('#e63900')
    await button('Use #ca3200').click()
    await save()
  })

  await test.step('legal pages', async () => {
    await follow('Add an imprint')
    await field('Title').fill('Imprint')
    await field('Text').fill('Held Out Motos LLC')
    await button('Publish').click()
    await expect(page.getByText('Published at /pages/imprint', { exact: true })).toBeVisible()
    for (const legalKind of legalKinds.filter((kind) => kind !== 'imprint'))
      await publishPage(page, { slug: legalKind, title: `Our ${legalKind}`, legalKind })
  })

  await test.step('a post with a pasted table and a picture, which is scheduled, published and renamed', async () => {
    await follow('Write a post')
    await field('Title').fill('Chain care')
    const html = '<table><tr><th>Chain</th><th>Teeth</th></tr><tr><td>520</td><td>45</td></tr></table>'
    const paste = () =>
      field('Text').evaluate((area, text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', text)
        area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, html)
    const preview = page.getByRole('region', { name: 'Preview' })
    await field('Text').fill('Typed before')
    await field('Text').selectText()
    await paste()
    await expect(preview.getByRole('cell', { name: '520' })).toBeVisible()
    await field('Text').press('Control+z')
    await expect(field('Text')).toHaveValue('Typed before')
    await field('Text').fill('')
    await paste()
    await expect(preview.getByRole('cell', { name: '520' })).toBeVisible()
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles(await picture(640, 480))
    await expect(preview.getByRole('img', { name: 'Describe the picture' })).toBeVisible()
    await button('Publish later').click()
    await page.getByLabel(/^Time/).fill('2099-01-01T09:00')
    await expectAccessible(page, 'the time of a publication')
    await button('Schedule').click()
    await expect(page.getByText('Scheduled for 1 January 2099, 09:00').first()).toBeVisible()
    expect((await page.request.get('/blogs/chain-care')).status()).toBe(404)
    await button('Cancel publication').click()
    await button('Publish').click()
    await expect(page.getByText('Published at /blogs/chain-care', { exact: true })).toBeVisible()
    await field('Address').fill('care-of-chains')
    // The first message may still be there from the publication.
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await button('Save draft').click()
    expect((await saved).status()).toBe(200)
    await page.goto('/blogs/chain-care')
    await expect(page).toHaveURL('/blogs/care-of-chains')
    await page.goto('/blogs')
    await expect(page.getByRole('article').getByRole('heading')).toHaveText(['Chain care'])
  })

  await test.step('home page, footer, email and a product, without placeholder texts', async () => {
    await saveSettings(page, 'home', { lines: ['Held Out', 'Motos'] })
    await saveSettings(page, 'footer', {
      columns: [{ title: 'Help', links: [{ label: 'Write to us', href: '/contact-us' }] }],
    })
    await saveSettings(page, 'emails', {
      'order-received': { before: 'The workshop of {shopName} says thanks.' },
    })
    await addPart(page, { minimum: 1 })
    await page.goto('/dashboard/shop')
    await button('Remove all placeholder texts').click()
    await button('Yes').click()
    // Payments and the address of a test shop are not real ones.
    await expect(page.getByText('2 of 13 left before you can sell')).toBeVisible()
    await expectAccessible(page, 'the end of set-up')
  })

  await test.step('a visitor without scripts sees all of it', async () => {
    const visitor = await openOther({ javaScriptEnabled: false, viewport: phone })
    await visitor.goto('/')
    const logo = visitor.getByRole('banner').getByRole('img', { name: 'Held Out Motos' })
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Held Out\nMotos')
    const links = visitor.getByRole('contentinfo').getByRole('link')
    await expect(links.filter({ hasText: 'Write to us' })).toHaveAttribute('href', '/contact-us')
    await expect(links.filter({ hasText: /^(Imprint|Our )/ })).toHaveCount(legalKinds.length)
    await expect(visitor.getByText('120K+')).toHaveCount(0)
  })

  const email = newEmail()
  await test.step('the email of an order has name, logo and the changed text', async () => {
    const guest = await openOther()
    const [product] = await callAs<Parameters<typeof payGuestOrder>[1]>(page, 'GET', '/products')
    if (!product) throw new Error('the shop has no product')
    await guest.goto('/')
    await payGuestOrder(guest, [product], email)
    const find = () =>
      mail.received.find(({ to, text }) => to.includes(email) && text.includes('says thanks'))
    await expect.poll(find).toBeDefined()
    expect(find()?.source).toMatch(/^From: Held Out Motos <shop@motos\.example>\r$/m)
    expect(find()?.text).toContain('The workshop of Held Out Motos says thanks.')
    expect(find()?.text).toMatch(/<img src="[^"]*\/pictures\/uploaded\/[^"]*" alt="Held Out Motos"/)
  })

  await test.step('no page, feed, document or email has the default name', async () => {
    const read = async (path: string) => {
      const response = await page.request.get(path)
      expect(response.status(), path).toBeLessThan(500)
      return response.text()
    }
    const listPaths = async (map: string) =>
      [...(await read(map)).matchAll(/<loc>([^<]*)/g)].map(([, url = '']) => new URL(url).pathname)
    const maps = await listPaths('/sitemap.xml')
    const pages = (await Promise.all(maps.map(listPaths))).flat()
    expect(pages).toEqual(expect.arrayContaining(['/', '/blogs/care-of-chains', '/pages/imprint']))
    const others = `/nowhere /cart /checkout /login /signup /forgot-password /reset-password /verify-email /withdraw /join
      /garage /bikes /dashboard /feeds/products.xml /api/openapi.json /api/docs /robots.txt /sitemap.xml`
    for (const path of [...maps, ...pages, ...others.split(/\s+/)])
      expect(await read(path), path).not.toMatch(/torque ?yard/i)
    // Earlier emails are from before the shop had a name.
    const received = mail.received.filter(({ to }) => to.includes(email))
    for (const { source, text } of received) expect(source + text).not.toMatch(/torque ?yard/i)
  })
})
