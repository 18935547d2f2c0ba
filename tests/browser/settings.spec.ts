import { signInAsAdmin } from './admin-steps.ts'
import { expectAccessible, readScrollWidth } from './axe.ts'
import { expectError, hold, losing } from './specification-steps.ts'
import { started } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }

test('an admin gives the shop a name, colours and a footer, which every visitor sees', async ({
  page,
  shop,
  openOther,
  expectConsole,
}) => {
  test.slow()
  expectConsole(/status of (412|422)|ERR_FAILED/)
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
    await expect(page.getByText(/^\d+ of 13 left before you can sell$/)).toBeVisible()
    await expectAccessible(page, 'set-up')
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
    await page.getByRole('link', { name: 'Brand', exact: true }).click()
    await button('Stay').click()
    await saveBy('Save')
    await expect(page).toHaveTitle('Name · Held Out Motos')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Held Out Motos' })).toBeVisible()
  })

  await test.step('the longest name is not wider than a phone', async () => {
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Gleichstromlichtmaschinenregle')
    await saveBy('Save')
    expect(await readScrollWidth(page)).toBe(phone.width)
    await name.fill('Held Out Motos')
    await saveBy('Save')
  })

  await test.step('settings that were saved without a response can be changed', async () => {
    await page.getByLabel('City').fill('Dallas')
    const release = await hold(page, '**/api/v1/settings/shop')
    await losing(page, '**/api/v1/settings/shop')
    await button('Save').click()
    const failure = page.getByText("We can't reach the shop. Check your connection.")
    await expect(failure).toBeVisible()
    release()
    await expect(failure).toHaveCount(0)
    await page.getByLabel('Phone').fill('111')
    await saveBy('Save')
    await expect(page.getByLabel('City')).toHaveValue('Dallas')
  })

  await test.step('settings that another admin has saved stay beside the typed ones', async () => {
    const other = await page.context().newPage()
    await other.goto('/dashboard/shop/name')
    await other.getByLabel('Phone').fill('555')
    await page.getByLabel('City').fill('Austin')
    await saveBy('Save')
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(other.getByText('Someone else changed other values in the meantime.')).toBeVisible()
    await expect(other.getByLabel('City')).toHaveValue('Austin')
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(other.getByText('Settings saved', { exact: true })).toBeVisible()
    await expect(other.getByLabel('Phone')).toHaveValue('555')
    await other.close()
  })

  await test.step('a colour that is hard to read is replaced by the nearest tone', async () => {
    await page.goto('/dashboard/shop/brand')
    await page.getByLabel('Buttons and links', { exact: true }).fill('#e63900')
    await expect(page.getByText('Too light: 3.6 to 1')).toBeVisible()
    await button('Use #ca3200').click()
    await expect(page.getByText(/^Readable: 4\.\d to 1$/)).toBeVisible()
    await expectAccessible(page, 'brand')
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
    await saveBy('Save')
    const visitor = await openOther({ javaScriptEnabled: false })
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
  })

  await test.step('the home page has a title, a chosen product and a banner of the shop', async () => {
    await page.goto('/dashboard/shop/home')
    await page.getByLabel('Title, first line').fill('Held Out Motos')
    await button('Add product').click()
    await page.getByLabel('Name or part number').fill('chain')
    await button('Search').click()
    const found = page.getByRole('dialog').getByRole('listitem').first()
    const product = (await found.locator('.font-semibold').textContent()) ?? ''
    await found.getByRole('button').click()
    await button('Add banner').click()
    const banner = page.getByRole('group', { name: 'Banner 1' })
    await banner.getByLabel('Title').fill('Open house')
    await banner.getByLabel('Link').fill('javascript:alert(1)')
    await button('Save').click()
    await expect(banner.getByText(/^Enter a path such as/)).toBeVisible()
    await banner.getByLabel('Link').fill('/contact-us')
    await expectAccessible(page, 'home page')
    await saveBy('Save')
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Held Out Motos')
    await expect(page.getByRole('article').getByRole('heading')).toHaveText([product])
    await expectAccessible(page, 'home of visitors')
    await page.getByRole('link', { name: 'Open house' }).click()
    await expect(page).toHaveURL(/\/contact-us$/)
  })

  await test.step('the text of an email is changed, shown as it is sent, and tried', async () => {
    await page.goto('/dashboard/shop/emails')
    await expectAccessible(page, 'list of emails')
    await page.getByRole('link', { name: 'Order received and paid' }).click()
    await page.getByLabel('Text before').fill('Hello from ')
    await button('{shopName}').click()
    // The sandbox of the frame allows no scripts, so it is read from its page.
    const readFrame = () =>
      page.locator('iframe').evaluate(({ contentDocument }: HTMLIFrameElement) => {
        const cell = contentDocument?.querySelector('td:has(> [data-href*="/my-orders"])')
        const color = cell && contentDocument?.defaultView?.getComputedStyle(cell).backgroundColor
        return `${color} ${contentDocument?.body.innerText.replaceAll(/\s+/g, ' ')}`
      })
    await expect.poll(readFrame).toMatch(/^rgb\(202, 50, 0\) .* Hello from Held Out Motos /)
    await button('Text').click()
    await expectAccessible(page, 'texts of an email')
    await expect(page.getByText(/^Hello from Held Out Motos\s+Order: #26c624/)).toBeVisible()
    // A shop behind a proxy has no mailbox.
    await expect(page.getByText('The shop has no mail server.')).toBeVisible()
    await page.getByLabel('Text after').fill('Yours, {name}')
    await button('Save').click()
    // The preview has the same message. A form ignores changes while it is saved.
    await expectError(page, 'Text after', '{name} is not available in this email.')
    await page.getByLabel('Text after').fill('')
    await saveBy('Save')
    await button('Restore the default texts').click()
    await saveBy('Yes')
    await expect(page.getByLabel('Text before')).toHaveValue(/^Thank you for your order/)
  })

  await test.step('all placeholder texts are removed by one button', async () => {
    await page.goto('/dashboard/shop')
    await button('Remove all placeholder texts').click()
    await saveBy('Yes')
    await expect(page.getByText('The shop shows no placeholder texts.')).toBeVisible()
    await expect(page.getByRole('contentinfo').getByRole('link', { disabled: true })).toHaveCount(0)
  })

  await test.step('the defaults are restored', async () => {
    await page.goto('/dashboard/shop/footer')
    await started(page)
    await page.getByLabel('Target of link 1 of column 1').fill('/reviews')
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.type())
      void dialog.accept()
    })
    await restore()
    expect(questions, 'The browser asks whether to leave').toEqual([])
    await expect(page.getByText('The footer has no links.')).toBeVisible()
    for (const tab of ['home', 'brand', 'name']) {
      await page.goto(`/dashboard/shop/${tab}`)
      await started(page)
      await restore()
    }
    await expect(page).toHaveTitle('Name · Torque Yard')
  })
})
