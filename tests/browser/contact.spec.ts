import type { Page } from '@playwright/test'
import { mapHost } from '../../contract/shop.ts'
import { serveMap, started } from './steps.ts'
import { expect, test } from './test.ts'

const drawing = (page: Page) => page.getByAltText(/^Map: the shop is/)
const show = (page: Page) => page.getByRole('button', { name: 'Show the map' })
const frame = (page: Page) => page.locator('iframe')

test('the contact page has a map and a form', async ({ page }) => {
  await serveMap(page)
  await page.goto('/')
  await started(page)

  await test.step('nothing is loaded from another host before the visitor asks for the map', async () => {
    const foreign: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(page.url()).origin) foreign.push(request.url())
    })
    await page.getByRole('link', { name: 'Contact Us' }).click()
    await expect(drawing(page)).toBeVisible()
    await expect(show(page)).toBeEnabled()
    expect(foreign).toEqual([])
    await show(page).click()
    await expect(frame(page)).toBeVisible()
    await expect(show(page)).toHaveCount(0)
    expect(foreign).not.toEqual([])
  })

  await test.step('the map of OpenStreetMap covers the drawing, in a sandboxed frame', async () => {
    await expect(frame(page)).toHaveAttribute('title', "Map of the shop's location")
    await expect(frame(page)).toHaveAttribute('src', new RegExp(`^${mapHost}/export/embed\\.html\\?bbox=`))
    await expect(frame(page)).toHaveAttribute('sandbox', /^allow-scripts allow-same-origin/)
    await expect(page.frameLocator('iframe').getByRole('heading')).toHaveText('Map')
    await expect(drawing(page)).toHaveCount(0)
  })

  await test.step('Submit sends nothing and keeps page and input', async () => {
    await page.getByLabel('Email').fill('robin@example.com')
    await page.getByLabel('Message').fill('Do you have a left mirror?')
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByLabel('Email').press('Enter')
    await expect(page.getByLabel('Message')).toHaveValue('Do you have a left mirror?')
    await expect(page).toHaveURL(/\/contact-us$/)
    expect(sent).toEqual([])
  })
})

test('the drawing stays, without a layout shift, when OpenStreetMap is unreachable', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED/)
  const measured = Promise.withResolvers<void>()
  await page.route(`${mapHost}/**`, async (route) => {
    await measured.promise
    await route.abort('internetdisconnected')
  })
  await page.goto('/contact-us')
  await started(page)
  const asked = page.waitForRequest((request) => request.url().startsWith(mapHost))
  await show(page).click()
  await asked
  const before = await drawing(page).boundingBox()
  const failed = page.waitForEvent('requestfailed')
  measured.resolve()
  await failed
  await expect(page.getByText('The map could not be loaded.')).toBeVisible()
  await expect(show(page)).toBeEnabled()
  await expect(frame(page)).toHaveCount(0)
  expect(await drawing(page).boundingBox()).toEqual(before)
})
