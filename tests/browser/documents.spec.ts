import sharp from 'sharp'
import { adminEmail, expectUnobtrusive, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { hold, losing } from './specification-steps.ts'
import { fillLogin } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }

test('an admin writes a legal page, which visitors read without scripts, and changes its address', async ({
  page,
  shop,
  openOther,
  expectConsole,
}) => {
  expectConsole(/status of (401|404|422)|ERR_FAILED/)
  await page.setViewportSize(phone)
  await signInAsAdmin(page, shop)
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const visitor = await openOther({ javaScriptEnabled: false, viewport: phone })

  await test.step('the address follows the title, and can be typed over at once', async () => {
    await page.goto('/dashboard/edit-page/new')
    await field('Title').fill('Impressum für Käufer')
    await expect(field('Address')).toHaveValue('impressum-fuer-kaeufer')
    await field('Address').fill('impressum')
    await field('Title').fill('Impressum')
    await expect(field('Address')).toHaveValue('impressum')
  })

  await test.step('the preview shows the text, and a published page is in the footer of a page without scripts', async () => {
    await field('Legal page').selectOption('Imprint')
    await field('Text').fill('# Held Out Motos\n\n[Write](/contact-us) <b>us</b>')
    await expect(page.getByRole('heading', { name: 'Held Out Motos' })).toBeVisible()
    await expectAccessible(page, 'the editor of a page')
    const [read, published] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/api/v1/documents/**', async (route) => {
      if (route.request().url().endsWith('/publication')) await read.promise
      if (route.request().method() !== 'GET') return route.continue()
      const response = await route.fetch()
      read.resolve()
      await published.promise
      return route.fulfill({ response })
    })
    await button('Publish').click()
    await expect(page.getByText('Published at /pages/impressum', { exact: true })).toBeVisible()
    // A response from before the publication arrives after it.
    published.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    await expect(async () => {
      await visitor.goto('/reviews')
      await visitor.getByRole('contentinfo').getByRole('link', { name: 'Impressum' }).click({ timeout: 500 })
    }).toPass()
    await expect(visitor).toHaveURL('/pages/impressum')
    await expect(visitor.getByRole('link', { name: 'Write' })).toHaveAttribute('href', '/contact-us')
    await expect(visitor.getByText('<b>us</b>')).toBeVisible()
    await expectAccessible(page, 'a published page in its editor')
  })

  await test.step('text that was typed after a save without a response can be saved', async () => {
    await field('Summary').fill('Who we are')
    const release = await hold(page, '**/api/v1/documents/*')
    await losing(page, '**/api/v1/documents/*')
    await button('Save draft').click()
    await expect(page.getByText("We can't reach the shop. Check your connection.")).toBeVisible()
    await field('Summary').fill('Who we are, and where')
    release()
    // The document is loaded again.
    await expect(button('Discard draft')).toBeVisible()
    await expectUnobtrusive(page.locator('#publication'))
    await expect(field('Summary')).toHaveValue('Who we are, and where')
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await button('Save draft').click()
    expect((await saved).status()).toBe(200)
    await button('Discard draft').click()
    await button('Yes').click()
    await expect(field('Summary')).toHaveValue('')
  })

  await test.step('unsaved changes are not lost, and the earlier address leads to the new one', async () => {
    await field('Address').fill('imprint')
    await page.getByRole('link', { name: 'All pages' }).click()
    await button('Stay').click()
    await button('Save draft').click()
    await expect(page.getByText('Draft saved', { exact: true }).last()).toBeVisible()
    await expect(async () => {
      await visitor.goto('/pages/impressum')
      await expect(visitor).toHaveURL('/pages/imprint', { timeout: 500 })
    }).toPass()
  })

  await test.step('text that is not saved when the session ends is there after the next login, once', async () => {
    await field('Summary').fill('Typed before the session ended')
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.setItem('accessToken', 'ended'))
    await button('Save draft').click()
    await expect(page).toHaveURL(/\/login$/)
    await fillLogin(page, adminEmail, shop.password)
    await expect(field('Summary')).toHaveValue('Typed before the session ended')
    await field('Summary').fill('')
    await page.reload()
    await expect(field('Address')).toHaveValue('imprint')
    await expect(field('Summary')).toHaveValue('')
  })

  await test.step('the text of a version replaces unsaved changes only after a question', async () => {
    await field('Summary').fill('Second')
    await button('Save draft').click()
    const use = button('Use text of version 1')
    await expect(use).toBeEnabled()
    await field('Summary').fill('Typed before')
    await use.click()
    await button('No').click()
    await expect(field('Summary')).toHaveValue('Typed before')
    await field('Summary').fill('Second')

    const releaseVersion = await hold(page, '**/versions/1')
    await use.click()
    await field('Summary').fill('Typed after')
    releaseVersion()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(field('Summary')).toHaveValue('Typed after')
    await button('Yes').click()
    await expect(field('Summary')).toHaveValue('')

    await field('Summary').fill('Third')
    const releaseSave = await hold(page, '**/api/v1/documents/*')
    await button('Save draft').click()
    await expect(use).toBeDisabled()
    releaseSave()
    await expect(use).toBeEnabled()
    await button('Discard draft').click()
    await button('Yes').click()
    await expect(field('Summary')).toHaveValue('')
  })

  await test.step('an archived page is gone, and text that was not saved before can be saved', async () => {
    await field('Summary').fill('Who we are')
    await button('Archive').click()
    await button('Yes').click()
    await expect(page.getByText('Archived', { exact: true }).first()).toBeVisible()
    await expect.poll(async () => (await page.request.get('/pages/imprint')).status()).toBe(410)
    await button('Save draft').click()
    await expect(button('Discard draft')).toBeVisible()
    await field('Summary').fill('Nobody')
    await button('Discard draft').click()
    await button('Yes').click()
    await expect(field('Summary')).toHaveValue('')
    await expect(button('Discard draft')).toHaveCount(0)
  })

  await test.step('a new page without a text says why it is not published', async () => {
    await page.goto('/dashboard/edit-page/new')
    await field('Title').fill('Empty')
    await button('Publish').click()
    const failure = page.getByText('A title and a text are needed')
    await expect(failure).toBeVisible()
    await expect(page).not.toHaveURL('/dashboard/edit-page/new')
    await page.reload()

    await button('Publish').click()
    await expect(failure).toBeVisible()
    await button('Publish later').click()
    await expect(page.getByLabel(/^Time/)).toBeVisible()
    await expect(failure).toHaveCount(0)
    await button('Cancel').click()

    await button('Publish').click()
    await expect(failure).toBeVisible()
    await field('Text').fill('A text')
    await button('Save draft').click()
    await expect(page.getByText('Draft saved', { exact: true })).toBeVisible()
    await expect(failure).toHaveCount(0)
  })

  const buffer = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0a7a5c' } })
    .png()
    .toBuffer()
  const picture = { name: 'picture.png', mimeType: 'image/png', buffer }

  await test.step('a draft can be saved when all its uploads have ended', async () => {
    const cover = Promise.withResolvers<void>()
    // Not `hold`: a handler that is added after the request was seen may still get it.
    await page.route('**/api/v1/pictures', (route) => cover.promise.then(() => route.continue()), {
      times: 1,
    })
    const sent = page.waitForRequest('**/api/v1/pictures')
    await page.locator('input[type=file]').first().setInputFiles(picture)
    await sent
    await page.locator('input[type=file]').last().setInputFiles(picture)
    await expect(field('Text')).toHaveValue(/Describe the picture/)
    await expect(page.getByRole('progressbar')).toHaveCount(1)
    await expect(button('Save draft')).toBeDisabled()
    cover.resolve()
    await expect(page.getByRole('img', { name: 'Chosen picture' })).toBeVisible()
    await expect(button('Save draft')).toBeEnabled()
    await field('Text').fill('A text')
  })

  await test.step('a finished upload inserts its picture, and leaves the focus in the field that is typed in', async () => {
    const input = page.locator('input[type=file]').last()
    const pictures = page.getByRole('region', { name: 'Preview' }).getByRole('img')
    const clear = async () => {
      await field('Text').fill('')
      await expect(pictures).toHaveCount(0)
    }
    const typeDuringUpload = async (label: string, texts: [string, string]) => {
      const release = await hold(page, '**/api/v1/pictures')
      await input.setInputFiles(picture)
      await field(label).press('End')
      await page.keyboard.type(texts[0])
      release()
      await expect(pictures).toHaveCount(1)
      await page.keyboard.type(texts[1])
    }
    await typeDuringUpload('Title', [' ti', 'tle'])
    await expect(field('Title')).toHaveValue('Empty title')
    await expect(field('Text')).toHaveValue(/^A text\n\n!\[Describe the picture\]\(\S+\)\n$/)

    await clear()
    await typeDuringUpload('Text', ['Some wo', 'rds'])
    await expect(field('Text')).toHaveValue(/^Some words\n\n!\[Describe the picture\]\(\S+\)\n$/)

    await clear()
    await field('Text').blur()
    await input.setInputFiles(picture)
    await expect(field('Text')).toBeFocused()
    await page.keyboard.type('A chain')
    await expect(field('Text')).toHaveValue(/^!\[A chain\]/)
  })
})
