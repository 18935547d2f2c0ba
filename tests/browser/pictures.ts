import { mkdir, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../../scripts/browser.ts'
import { startShop } from './running-shop.ts'
import { signIn } from './steps.ts'

/** Takes the README screenshots of the built shop, with its own data folder: `npm run pictures`. */

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
const maxPictureBytes = 250 * 1024

const desk = (height: number): BrowserContextOptions => ({ viewport: { width: 1280, height } })
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

interface Picture {
  name: string
  device: BrowserContextOptions
  /** Account to sign in with; signed out if absent. */
  as?: 'rider@example.com' | 'admin@example.com'
  /** Opens the page and waits until its content is visible. */
  open: (page: Page) => Promise<void>
}

const pictures: Picture[] = [
  { name: 'home', device: desk(1290), open: (page) => openPlain(page, '/') },
  { name: 'bike', device: desk(860), open: openPartsOfBike },
  { name: 'fit', device: desk(860), open: openFit },
  { name: 'payment-phone', device: phone, as: 'rider@example.com', open: openPayment },
  {
    name: 'manage-orders',
    device: desk(740),
    as: 'admin@example.com',
    open: async (page) => {
      await page.goto('/dashboard/manage-orders')
      await page.getByRole('cell').first().waitFor()
    },
  },
]

async function openPlain(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('article').first().waitFor()
}

/** Chooses a bike, and lists the parts that fit it. */
async function openPartsOfBike(page: Page): Promise<void> {
  await page.goto('/products')
  await page.getByRole('main').getByRole('link', { name: 'Choose your bike' }).click()
  await page.getByLabel('Type your bike').fill('2009 r6')
  await page.getByLabel('Type your bike').press('Enter')
  await page.getByText(/^Parts that fit/).waitFor()
}

async function openFit(page: Page): Promise<void> {
  await openPartsOfBike(page)
  await page.getByRole('article', { name: 'Sintered front brake pads' }).getByRole('link').first().click()
  await page.getByRole('status').filter({ hasText: 'Fits your' }).waitFor()
}

async function openPayment(page: Page): Promise<void> {
  await page.goto('/dashboard/my-orders')
  await page.getByRole('link', { name: 'Pay' }).first().click()
  await page
    .frameLocator('iframe[title="Secure card payment input frame"]')
    .getByLabel('Card number')
    .waitFor()
}

async function take(picture: Picture, browser: Browser, origin: string, password: string): Promise<void> {
  const context = await browser.newContext({ ...picture.device, baseURL: origin, reducedMotion: 'reduce' })
  const page = await context.newPage()
  if (picture.as) await signIn(page, picture.as, password)
  // Load a new document, without the toast of the sign-in.
  await picture.open(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  const path = `${folder}${picture.name}.webp`
  await writeFile(path, await toWebp(await page.screenshot(), browser))
  await context.close()
  const { size } = await stat(path)
  if (size > maxPictureBytes) throw new Error(`${path} weighs ${size} bytes, more than ${maxPictureBytes}.`)
  process.stdout.write(`${path} ${Math.round(size / 1024)} KiB\n`)
}

/** Encodes WebP in the browser, so that no library is needed. */
async function toWebp(png: Buffer, browser: Browser): Promise<Buffer> {
  const page = await browser.newPage()
  const url = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.86)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  await page.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

async function takeAll(): Promise<void> {
  const program = findBrowser()
  const browser = await chromium.launch({
    ...(program && { executablePath: program }),
    args: browserArgs,
  })
  const shop = await startShop()
  try {
    await mkdir(folder, { recursive: true })
    for (const picture of pictures) await take(picture, browser, shop.origin, shop.password)
  } finally {
    await browser.close()
    await shop.stop()
  }
}

await takeAll()
