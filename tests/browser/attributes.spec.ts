import { addPart, expectUnobtrusive, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible, expectNoViolations } from './axe.ts'
import { callAs, hold } from './specification-steps.ts'
import { started } from './steps.ts'
import { expect, test } from './test.ts'

const phone = { width: 360, height: 740 }

test('an admin defines the attributes of a kind and fills in their values, and a rider filters by them', async ({
  page,
  shop,
  openOther,
}) => {
  await page.setViewportSize(phone)
  await signInAsAdmin(page, shop)
  const kind = `Hoses ${Date.now()}`
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const toast = (text: string) => expect(page.getByText(text, { exact: true })).toBeVisible()
  const short = await addPart(page, { kind, minimum: 1 })
  const long = await addPart(page, { kind, minimum: 1 })

  await test.step('the attributes of a kind are a list of names, types, units and choices', async () => {
    await page.goto('/dashboard/attributes')
    await expect(button('Edit Chains')).toBeVisible()
    await expectAccessible(page, 'the kinds with attributes')
    await button('Add kind').click()
    await page.getByLabel('Kind of part').fill('Chains')
    await page.getByLabel('Name').fill('Length')
    await page.getByLabel('Unit').fill('mm')
    await button('Add attribute').click()
    await page.getByLabel('Name').last().fill('Material')
    await page.getByLabel('Type').last().selectOption('Choice')
    await button('Save attributes').click()
    await expect(page.getByText('This kind has attributes already')).toBeVisible()
    await expect(page.getByText('Enter the choices, separated by commas')).toBeVisible()
    await expectAccessible(page, 'the editor of a kind')
    await page.getByLabel('Kind of part').fill(kind)
    await page.getByLabel('Choices').fill('Rubber, Steel')
    await button('Move up Material').click()
    await button('Save attributes').click()
    await toast('Attributes saved')
    await button(`Edit ${kind}`).click()
    await expect(page.getByLabel('Name').first()).toHaveValue('Material')
    await expectAccessible(page, 'the editor of a saved kind')
    await button('Cancel').click()
    await expect(button(`Edit ${kind}`)).toBeVisible()
  })

  await test.step('a product of the kind has fields for them, which are saved with its other changes', async () => {
    await page.goto(`/dashboard/edit-product/${short._id}`)
    await page.getByLabel('Length, mm').fill('wide')
    await button('Save attributes').click()
    await expect(page.getByText('Enter a number with at most three decimals')).toBeVisible()
    await expectAccessible(page, 'the attributes of a product')
    await page.getByLabel('Length, mm').fill('450.5')
    await page.getByLabel('Material').selectOption('Steel')
    await expect(page.locator('#unsaved')).toContainText('attributes')
    await expectUnobtrusive(page.locator('#unsaved'))
    await button('Save all').click()
    await toast('Attributes saved')
    await page.goto(`/dashboard/edit-product/${long._id}`)
    await page.getByLabel('Length, mm').fill('900')
    await page.getByLabel('Material').selectOption('Rubber')
    await button('Save attributes').click()
    await toast('Attributes saved')
  })

  await test.step('a new kind keeps the typed values that it defines too, and Save all saves the rest', async () => {
    const other = `Pipes ${kind}`
    await callAs(page, 'PUT', `/v1/attributes/${encodeURIComponent(other)}`, {
      attributes: [{ name: 'Length', type: 'number', unit: 'mm' }],
      revision: '',
    })
    const moved = await addPart(page, { kind, minimum: 1 })
    const certificates = page.getByRole('region', { name: 'Safety certificates' })
    const moveTo = async (next: string, number: string) => {
      await page.getByLabel('Kind of part').fill(next)
      await certificates.getByLabel('Number').fill(number)
      await button('Save all').click()
      await expect(page.locator('#unsaved')).toBeHidden()
    }
    await page.goto(`/dashboard/edit-product/${moved._id}`)
    await page.getByLabel('Length, mm').fill('950')
    await page.getByLabel('Material').selectOption('Steel')
    await button('Add certificate').click()
    await moveTo(other, 'E1-1')
    await expect(page.getByLabel('Material')).toHaveCount(0)
    await page.reload()
    await expect(page.getByLabel('Length, mm')).toHaveValue('950')
    await page.getByLabel('Length, mm').fill('960')
    await moveTo('', 'E1-2')
    const saved = await callAs(page, 'GET', `/product/${moved._id}`)
    expect(saved).toMatchObject({ certificates: [{ number: 'E1-2' }] })
  })

  const visitor = await openOther({ viewport: phone })

  await test.step('the product page has a row for each', async () => {
    await visitor.goto(`/product/${short._id}`)
    const rows = visitor.getByRole('main').locator('dl > div')
    await expect(rows.filter({ hasText: 'Length' })).toHaveText('Length450.5 mm')
    await expect(rows.filter({ hasText: 'Material' })).toHaveText('MaterialSteel')
  })

  await test.step('the list of the kind has filters with counts; links of removed attributes show the whole list', async () => {
    await visitor.goto(`/products?kind=${encodeURIComponent(kind)}&attribute=Width%3A5`)
    await started(visitor)
    await expect(visitor.getByRole('status').first()).toHaveText('2 products')
    await expectAccessible(visitor, 'a list with filters by attributes')
    await visitor.getByRole('button', { name: 'Filters (1)' }).click()
    const filters = visitor.getByRole('complementary', { name: 'Filters' })
    const length = filters.getByRole('region', { name: 'Length' })
    await expect(length.getByRole('link')).toHaveText(['450.5 mm1', '900 mm1'])
    await expectNoViolations(visitor, 'the open filters')
    await length.getByRole('link', { name: '900 mm' }).click()
    await expect(visitor).toHaveURL(/attribute=Length%3A900$/)
    await expect(filters.getByRole('region', { name: 'Material' }).getByRole('link')).toHaveText(['Rubber1'])
    await filters.getByRole('button', { name: 'Close' }).click()
    await expect(visitor.getByRole('link', { name: long.name })).toBeVisible()
    await expect(visitor.getByRole('link', { name: short.name })).toHaveCount(0)
  })

  await test.step('from and to are a filter, which keeps the counts; numbers that are not a range are refused', async () => {
    await visitor.getByRole('button', { name: 'Filters (2)' }).click()
    const filters = visitor.getByRole('complementary', { name: 'Filters' })
    const field = (end: string) => filters.getByLabel(`Length ${end}, mm`)
    const apply = filters.getByRole('region', { name: 'Length' }).getByRole('button', { name: 'Apply' })
    await expect(field('from')).toHaveValue('900')
    // iOS zooms into fields with smaller text.
    const fields = visitor.locator('input:not([type=hidden]), select, textarea')
    const sizes = await fields.evaluateAll((all) => all.map((each) => getComputedStyle(each).fontSize))
    expect(sizes.length).toBeGreaterThan(2)
    expect(sizes.filter((size) => parseFloat(size) < 16)).toEqual([])
    await field('from').fill('500')
    await field('to').fill('400')
    await field('to').press('Enter')
    await expect(field('to')).toHaveAccessibleDescription('Enter at least 500')
    await expect(field('from')).toHaveValue('500')
    await expectNoViolations(visitor, 'a refused range')
    await field('from').fill('')
    await field('to').fill('500.5')
    await apply.click()
    await expect(visitor).toHaveURL(/\?kind=[^&]+&attribute=Length%3A..500.5$/)
    await expect(apply).toBeFocused()
    await expect(filters.getByRole('region', { name: 'Length' }).getByRole('link')).toHaveText([
      'up to 500.5 mm1',
      '450.5 mm1',
      '900 mm1',
    ])
    await field('to').focus()
    await visitor.goBack()
    await expect(field('to')).toHaveValue('400')
    await visitor.goForward()
    await expect(field('to')).toHaveValue('500.5')
    await filters.getByRole('button', { name: 'Close' }).click()
    await expect(visitor.getByRole('link', { name: short.name })).toBeVisible()
    await expect(visitor.getByRole('link', { name: long.name })).toHaveCount(0)
  })

  await test.step('a range that is typed before its code arrives stays', async () => {
    const release = await hold(visitor, '**/attribute-filters-*.js')
    await visitor.reload()
    await started(visitor)
    await visitor.getByRole('button', { name: 'Filters (2)' }).click()
    const filters = visitor.getByRole('complementary', { name: 'Filters' })
    const from = filters.getByLabel('Length from, mm')
    await from.fill('500')
    await filters.getByLabel('Length to, mm').fill('900')
    release()
    const hasCode = () =>
      from.evaluate((field) => Object.keys(field).some((key) => key.startsWith('__reactFiber')))
    await expect.poll(hasCode).toBe(true)
    await expect(from).toHaveValue('500')
    await filters.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('without scripts the same form works, in a list for a bike as well', async () => {
    const list = `/products?${new URLSearchParams({ bike: '1', fit: 'unconfirmed', kind })}`
    const html = await (await page.request.get(list)).text()
    const form = html.split('<form ').find((each) => each.includes('name="range" value="Length"')) ?? ''
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    )
    expect(form).toMatch(/^[^>]*action="\/products".*name="from".*name="to".*<button type="submit"/s)
    const send = (from: string) =>
      page.request.get(`/products?${new URLSearchParams([...hidden, ['from', from], ['to', '']])}`)
    expect(await (await send('wide')).text()).toContain(
      'The filter “Length” is not applied. Enter a number, such as 140 or 12.5. 2 products',
    )
    const filtered = await send('500')
    expect(filtered.url()).toBe(`${shop.origin}${list}&attribute=Length%3A500..`)
    const text = await filtered.text()
    expect(text).toContain(long.name)
    expect(text).not.toContain(short.name)
  })

  await test.step('a chip removes the choice, and another kind removes all of them', async () => {
    await visitor.getByRole('link', { name: 'Remove Attribute: Length: up to 500.5' }).click()
    await expect(visitor.getByRole('link', { name: long.name })).toBeVisible()
    await visitor.goBack()
    await visitor.getByRole('link', { name: `Remove Kind of part: ${kind}` }).click()
    await expect(visitor).toHaveURL(/\/products$/)
  })
})
