import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { maxPictureBytes } from '../../contract/picture-uploads.ts'
import { addProduct, deleteProduct, openDetails, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { failing, hold } from './specification-steps.ts'
import { expect, test } from './test.ts'

const jpeg = (width = 1600, height = 1200) =>
  sharp({ create: { width, height, channels: 3, background: '#3e6480' } })
    .jpeg()
    .toBuffer()

const field = (page: Page) => page.getByLabel('Choose an image')
const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  field(page).setInputFiles({ name, mimeType, buffer })

const url = (page: Page) => page.getByLabel('Image', { exact: true })
const preview = (page: Page) => page.getByRole('img', { name: 'Preview' })

test('an admin uploads a picture', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of (415|422|500)/)
  await signInAsAdmin(page, shop)
  // Intercept file choosers before any key press, because the browser does not confirm it.
  const chooser = page.waitForEvent('filechooser')
  await page.goto('/dashboard/add-product')
  const picture = await jpeg()

  await test.step('an upload can be cancelled, and the field works with the keyboard', async () => {
    await page.route('**/api/v1/pictures', () => {}, { times: 1 })
    await url(page).focus()
    await page.keyboard.press('Tab')
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: picture })
    await expect(page.getByRole('progressbar')).toBeVisible()
    await expect(field(page)).toBeFocused()
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    await expect(url(page)).toHaveValue('')
    await expect(field(page)).toBeEnabled()
    await expect(field(page)).toBeFocused()
  })

  await test.step('an invalid file shows an error at the field, and a valid one removes it', async () => {
    for (const [name, type, content, message] of [
      ['huge.jpg', 'image/jpeg', Buffer.alloc(maxPictureBytes + 1), 'The file is larger than 12 MB.'],
      ['drawing.svg', 'image/svg+xml', Buffer.from('<svg/>'), 'Unsupported image type'],
      ['lies.png', 'image/png', Buffer.from('<svg><script/></svg>'), 'Unsupported image type'],
      ['torn.jpg', 'image/jpeg', picture.subarray(0, 900), 'The image file is damaged'],
    ] as const) {
      await choose(page, name, type, content)
      await expect(field(page), name).toHaveAccessibleDescription(new RegExp(`^${message}`))
      await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
    }
    await expectAccessible(page, 'a refused picture')
    const broken = await failing(page, '**/api/v1/pictures', 500)
    await choose(page, 'pads.jpg', 'image/jpeg', picture)
    await expect(field(page)).toHaveAccessibleDescription(/^Something went wrong on our side/)
    await broken.end()
  })

  await test.step('a dropped picture is uploaded', async () => {
    const bytes = [...(await jpeg(400, 300))]
    const dropped = await page.evaluateHandle((content) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(content)], 'chain.jpg', { type: 'image/jpeg' }))
      return data
    }, bytes)
    await page.getByText('Or drop one here').dispatchEvent('drop', { dataTransfer: dropped })
    await expect(url(page)).toHaveValue(/-640\.jpeg$/)
    await expect(field(page)).not.toHaveAttribute('aria-invalid')
  })

  await test.step('a chosen picture is uploaded, shown and saved with the product', async () => {
    const release = await hold(page, '**/api/v1/pictures')
    await choose(page, 'brake pads.jpg', 'image/jpeg', picture)
    await expect(page.getByRole('progressbar')).toBeVisible()
    await expect(page.getByRole('main').getByRole('button', { name: 'Add Product' })).toBeDisabled()
    release()
    await expect(url(page)).toHaveValue(/^\/pictures\/uploaded\/[0-9a-f]{32}-1280\.jpeg$/)
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    // The smallest sharp size, in the smallest format.
    await expect
      .poll(() => preview(page).evaluate((image: HTMLImageElement) => image.currentSrc))
      .toMatch(/-320\.avif$/)

    const image = await url(page).inputValue()
    const product = await addProduct(page, { image })
    const details = await openDetails(page, product)
    await expect
      .poll(() =>
        details
          .getByRole('img', { name: product.name })
          .evaluate((shown: HTMLImageElement) => shown.naturalWidth),
      )
      .toBeGreaterThan(0)

    await page.goto(`/product/${product._id}`)
    const shown = page.getByRole('main').getByRole('img', { name: product.name })
    await expect
      .poll(() => shown.evaluate((element: HTMLImageElement) => element.currentSrc))
      .toMatch(/-640\.avif$/)
    await deleteProduct(page, product._id)
  })
})
