import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { Product } from '../../contract/catalog.ts'
import { productPath } from '../../contract/product.ts'
import { addProduct, deleteProduct } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { layoutShift, watchShifts } from './layout-shift.ts'
import { callAs, failing, hold, losing } from './specification-steps.ts'
import { started } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }

test.use({ hasTouch: true })

async function toFile(name: string, background: string) {
  const picture = sharp({ create: { width: 1600, height: 1200, channels: 3, background } })
  return { name, mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() }
}

/** Swipes to the left with a finger. */
async function swipe(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x) => ({ x, y: 300 })) })
  await touch('touchStart', 300)
  for (let x = 285; x >= 90; x -= 15) await touch('touchMove', x)
  await touch('touchEnd')
  await browser.detach()
}

test('an admin gives a product several pictures; a rider swipes and enlarges them, and sees the one of a colour', async ({
  page,
  openOther,
  admin,
  expectConsole,
}) => {
  expectConsole(/status of (400|500|503)/)
  // A title in one line, so that a late font does not shift the page.
  const name = `Pads ${randomUUID().slice(0, 6)}`
  const product = await addProduct(admin, { name, minimum: 1, kind: 'Pads with pictures' })
  const picture = (number: number) => admin.getByRole('group', { name: `Picture ${number}` })
  const save = admin.getByRole('button', { name: 'Save pictures' })

  await test.step('the editor uploads several pictures, moves and describes them', async () => {
    await admin.goto(`/dashboard/edit-product/${product._id}`)
    await expect(picture(1).getByLabel('Image URL')).toHaveValue(product.image)
    await losing(admin, '**/api/v1/pictures', 503)
    const red = await toFile('red.jpg', '#c8261b')
    await admin.getByLabel('Upload pictures').setInputFiles([red, await toFile('black.jpg', '#15171b')])
    await expect(admin.getByText(/^red\.jpg: /)).toBeVisible()
    await admin.getByLabel('Upload pictures').setInputFiles(Array.from({ length: 12 }, () => red))
    await expect(admin.getByText('A product can have 12 pictures, and this one has 1.')).toBeVisible()
    const release = await hold(admin, '**/api/v1/pictures')
    await admin.getByRole('button', { name: 'Upload the remaining 2 files' }).click()
    await expect(admin.getByLabel('Upload pictures')).toBeFocused()
    // The uploads have not ended.
    await admin.getByRole('banner').getByRole('link').first().click()
    await admin
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay' })
      .click()
    release()
    await expect(picture(3).getByLabel('Image URL')).toHaveValue(/^\/pictures\/uploaded\/.+-1280\.jpeg$/)
    await picture(2).getByLabel('Text').fill('The red pads')
    await picture(2).getByLabel('Colour').selectOption('Red')
    await picture(3).getByLabel('Text').fill('The black pads')
    await picture(3).getByLabel('Colour').selectOption('Black')
    await admin.getByRole('button', { name: 'Move up picture 3' }).click()
    await admin.getByRole('button', { name: 'Move up picture 2' }).press('Enter')
    await expect(admin.getByRole('button', { name: 'Move up picture 1' })).toBeFocused()
    await expectAccessible(admin, 'the pictures of a product')
    const broken = await failing(admin, '**/api/v1/products/*/pictures', 500)
    await save.click()
    await expect(admin.getByRole('main').getByRole('alert')).toHaveText(/^Something went wrong/)
    await broken.end()
  })

  await test.step('a picture that is listed twice is marked; Save all saves the rest of the product with them', async () => {
    await admin.getByRole('button', { name: 'Add a picture by URL' }).click()
    await picture(4).getByLabel('Image URL').fill(product.image)
    await admin.getByLabel('Supplier', { exact: true }).fill('Chain Works')
    const bar = admin.getByRole('region', { name: 'Unsaved changes' })
    await expect(bar).toHaveText(/^Unsaved: supplier, pictures/)
    await bar.getByRole('button', { name: 'Save all' }).click()
    await expect(picture(4).getByLabel('Image URL')).toHaveAccessibleDescription(
      'This picture is listed twice',
    )
    await expect(picture(4).getByLabel('Image URL')).toBeFocused()
    await admin.getByRole('button', { name: 'Remove picture 4' }).click()
    await bar.getByRole('button', { name: 'Save all' }).click()
    await expect(bar).toBeHidden()
    const uploaded = expect.stringMatching(/^\/pictures\/uploaded\//)
    expect(await callAs(admin, 'GET', `/product/${product._id}`)).toMatchObject({
      supplier: 'Chain Works',
      image: uploaded,
      pictures: [
        { image: uploaded, alt: 'The black pads', colour: 'Black' },
        { image: product.image },
        { image: uploaded, alt: 'The red pads', colour: 'Red' },
      ],
    })
  })

  const path = productPath(await callAs<Product>(admin, 'GET', `/product/${product._id}`))
  const on = (tab: Page) => ({
    thumbnail: (number: number) => tab.getByRole('link', { name: `Picture ${number} of 3` }),
    slide: (alt: string) => tab.getByRole('list', { name: 'Pictures' }).getByRole('link', { name: alt }),
  })
  const { thumbnail, slide } = on(page)
  const expectShown = async (number: number, alt: string) => {
    await expect(thumbnail(number)).toHaveAttribute('aria-current', 'true')
    await expect(slide(alt)).toBeInViewport({ ratio: 0.9 })
  }
  /** Waits for the script of the gallery, which is imported and hydrated after the page. */
  const galleryStarted = () => expect(slide('The red pads')).toHaveAttribute('tabindex', '-1')
  await page.setViewportSize(phone)
  await watchShifts(page)

  await test.step('the page of one picture loads no script of the gallery, the other one shifts nothing', async () => {
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(request.url()))
    const isGallery = (url: string) => /\/gallery-[\w-]+\.js$/.test(url)
    const [single] = (await (await page.request.get('/api/products?pageSize=1')).json()) as Product[]
    await page.goto(`/product/${single?._id}`, { waitUntil: 'networkidle' })
    await started(page)
    expect(scripts.filter(isGallery)).toEqual([])
    await page.goto(path, { waitUntil: 'networkidle' })
    await galleryStarted()
    expect(scripts.filter(isGallery)).toHaveLength(1)
    await expectShown(1, 'The black pads')
    expect(await layoutShift(page)).toBe(0)
  })

  await test.step('on a phone the fit is on the first screen, below a name of three lines', async () => {
    const heading = page.getByRole('heading', { level: 1 })
    await heading.evaluate((element) => {
      element.textContent = 'Sintered front brake pads for two calipers, with springs, pins and grease'
    })
    for (const size of [phone, { width: 390, height: 844 }]) {
      await page.setViewportSize(size)
      const fit = await page.getByRole('status').filter({ hasText: 'Does this fit' }).boundingBox()
      const bar = await page.getByText('Total', { exact: true }).boundingBox()
      expect((fit?.y ?? 0) + (fit?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) - 12)
    }
    await page.setViewportSize(phone)
    await page.reload({ waitUntil: 'networkidle' })
    await galleryStarted()
  })

  await test.step('a swipe, a thumbnail and the arrow keys show the other pictures', async () => {
    await swipe(page)
    await expectShown(2, `${product.name}, picture 2`)
    await thumbnail(3).click()
    await expectShown(3, 'The red pads')
    await expect(page).toHaveURL(path)
    await slide('The red pads').focus()
    await page.keyboard.press('ArrowLeft')
    await expectShown(2, `${product.name}, picture 2`)
    await expect(slide(`${product.name}, picture 2`)).toBeFocused()
    await expectAccessible(page, 'a gallery')
  })

  await test.step('a picture opens in a dialog, which zooms and goes on', async () => {
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading')).toHaveText(`${product.name}, picture 2`)
    await dialog.getByRole('button', { name: 'Next' }).click()
    await expect(dialog.getByRole('heading')).toHaveText('The red pads')
    await expect(dialog.getByText('3 of 3')).toBeVisible()
    const image = dialog.getByRole('button', { name: /^Zoom/ })
    const before = (await image.boundingBox())?.width ?? 0
    await image.click()
    await expect.poll(async () => (await image.boundingBox())?.width).toBeGreaterThan(1.9 * before)
    await expectAccessible(page, 'an enlarged picture')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expectShown(3, 'The red pads')
  })

  await test.step('a chosen colour shows its picture first', async () => {
    await thumbnail(2).click()
    await expectShown(2, `${product.name}, picture 2`)
    await page.getByRole('main').getByRole('link', { name: 'Red', exact: true }).click()
    await page.evaluate(() => scrollTo(0, 0))
    await expectShown(1, 'The red pads')
    await page.goto(`${path}?colour=Black`)
    await expectShown(1, 'The black pads')
  })

  await test.step('without scripts the thumbnails and the files work', async () => {
    const plain = await openOther({ javaScriptEnabled: false, viewport: phone })
    await plain.goto(path)
    await on(plain).thumbnail(3).click()
    await expect(on(plain).slide('The red pads')).toBeInViewport({ ratio: 0.9 })
    const file = await on(plain).slide('The red pads').getAttribute('href')
    expect((await plain.request.get(file ?? '')).headers()['content-type']).toBe('image/jpeg')
  })
  await deleteProduct(admin, product._id)
})
