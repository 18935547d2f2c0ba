import { signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { started } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }

test('an admin gives the shop a name, colours and a footer, which every visitor sees', async ({
  page,
  browser,
  baseURL,
  shop,
  expectConsole,
}) => {
  test.slow()
  expectConsole(/status of 412/)
  await page.setViewportSize(phone)
  await signInAsAdmin(page, shop)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  /** A save loads the document again, which shows the message. The message of an earlier save may still be there. */
  const saveBy = async (name: string) => {
    const loaded = page.waitForEvent('load')
    await button(name).click()
    await loaded
    await expect(page.getByText('Settings saved', { exact: true })).toBeVisible()
  }
  const restore = async () => {
    await button('Restore the defaults').click()
    await saveBy('Yes')
  }

  await test.step('Set-up lists what is missing, and links to the page that completes it', async () => {
    await page.goto('/dashboard/shop')
    await expect(page.getByText(/^\d of 6 left before you can sell$/)).toBeVisible()
    await expectAccessible(page, 'set-up')
    await page.setViewportSize(phone)
    await page.getByRole('link', { name: 'Enter name and contact' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Name and contact')
  })

  await test.step('a wrong value is named, unsaved changes are not lost, and the saved name is in header and title', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Held Out Motos')
    await page.getByLabel('Place on the map').fill('somewhere')
    await button('Save').click()
    await expect(page.getByText(/^Enter latitude and longitude/)).toBeVisible()
    await page.getByLabel('Place on the map').fill('52.52, 13.405')
    await button('Add hours').click()
    await expectAccessible(page, 'name and contact')
    await page.setViewportSize(phone)
    await page.getByRole('link', { name: 'Brand', exact: true }).click()
    await button('Stay').click()
    await saveBy('Save')
    await expect(page).toHaveTitle('Name · Held Out Motos')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Held Out Motos' })).toBeVisible()
  })

  await test.step('settings that another admin has saved are not replaced', async () => {
    const other = await page.context().newPage()
    await other.goto('/dashboard/shop/name')
    await other.getByLabel('Phone').fill('555')
    await page.getByLabel('City').fill('Austin')
    await saveBy('Save')
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(other.getByText('Someone else changed these settings.')).toBeVisible()
    await other.close({ runBeforeUnload: false })
  })

  await test.step('a colour that is hard to read is replaced by the nearest tone', async () => {
    await page.goto('/dashboard/shop/brand')
    await page.getByLabel('Buttons and links', { exact: true }).fill('#e63900')
    await expect(page.getByText('Too light: 3.6 to 1')).toBeVisible()
    await button('Use #ca3200').click()
    await expect(page.getByText(/^Readable: 4\.\d to 1$/)).toBeVisible()
    await expectAccessible(page, 'brand')
    await page.setViewportSize(phone)
    await saveBy('Save')
    await expect(button('Save')).toHaveCSS('background-color', 'rgb(202, 50, 0)')
  })

  await test.step('a link of the footer leads to a page, for visitors without scripts too', async () => {
    await page.goto('/dashboard/shop/footer')
    await page.getByLabel('Target of link 2 of column 2').fill('javascript:alert(1)')
    await button('Save').click()
    await expect(
      page.getByText('Enter a path such as /reviews, or a URL that starts with https'),
    ).toBeVisible()
    await page.getByLabel('Target of link 2 of column 2').fill('/contact-us')
    await button('Remove column 3').click()
    await expectAccessible(page, 'footer')
    await page.setViewportSize(phone)
    await saveBy('Save')
    const visitor = await (
      await browser.newContext({ baseURL: baseURL ?? '', javaScriptEnabled: false })
    ).newPage()
    await expect(async () => {
      await visitor.goto('/')
      await visitor
        .getByRole('contentinfo')
        .getByRole('link', { name: 'Contact', exact: true })
        .click({ timeout: 500 })
    }).toPass()
    await expect(visitor).toHaveTitle('Contact Us · Held Out Motos')
    await expect(visitor.getByText('Monday to Friday: 09:00–18:00')).toBeVisible()
    await expect(visitor.getByText('Torque Yard')).toHaveCount(0)
    await visitor.context().close()
  })

  await test.step('the defaults are restored', async () => {
    await restore()
    for (const tab of ['brand', 'name']) {
      await page.goto(`/dashboard/shop/${tab}`)
      await started(page)
      await restore()
    }
    await expect(page).toHaveTitle('Name · Torque Yard')
  })
})
