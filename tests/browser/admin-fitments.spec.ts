import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { addProduct, deleteProduct, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, hold, losing } from './specification-steps.ts'
import { expect, test } from './test.ts'

const choose = (page: Page, text: string) =>
  page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'fitments.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

const cells = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).getByRole('cell').locator('> div').allInnerTexts()

test('an admin adds a bike, and imports fitments after correcting three rows', async ({
  page,
  shop,
  expectConsole,
}) => {
  // The server validates the years of new bikes and the models of fitments; another admin has changed a model.
  expectConsole(/status of 4(00|09)|ERR_FAILED/)
  const key = randomUUID().slice(0, 6)
  const make = `Hayashi ${key}`
  await signInAsAdmin(page, shop)
  const product = await addProduct(page, { sku: `T-${key}` })
  const kind = `Gloves ${key}`
  const gloves = await addProduct(page, { kind })

  await test.step('the Bikes page adds the bikes of a model', async () => {
    await page.goto('/dashboard/bikes')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bikes')
    await page.getByLabel('Make').fill(make)
    await page.getByLabel('Model').fill('K6')
    await page.getByLabel('First year').fill('2012')
    await page.getByLabel('Last year').fill('2011')
    await page.getByRole('button', { name: 'Add bikes' }).click()
    await expect(page.getByText('The last year is before the first year')).toBeVisible()
    await page.getByLabel('Last year').fill('2014')
    await page.getByRole('button', { name: 'Add bikes' }).click()
    await expect(page.getByRole('table', { name: 'Bikes' })).toContainText(`2013 ${make} K6`)
    await page.getByLabel('Name of the model').fill('K-6')
    await page.getByLabel('All other names').fill(`sixer ${key}`)
    await page.getByRole('button', { name: 'Save model' }).click()
    await expect(page.getByRole('table', { name: 'Bikes' })).toContainText(`2013 ${make} K-6`)
    await expect(page.getByLabel('All other names')).toHaveValue(`sixer${key}`)
    await expectAccessible(page, 'bikes of a model')
    await page.getByLabel('Name of the model').fill('K6')
    await callAs(page, 'PUT', `/v1/makes/hayashi-${key}/models/k-6`, { name: 'K-6', aliases: `six${key}` })
    await page.getByLabel('Remove start year').fill('2014')
    await page.getByRole('button', { name: 'Remove bikes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('Removed 1 bike')).toBeVisible()
    // The bikes and names were read again.
    await expect(page.getByRole('table', { name: 'Bikes' })).not.toContainText('2014')
    await expect(page.getByLabel('Name of the model')).toHaveValue('K6')
    await page.getByRole('button', { name: 'Save model' }).click()
    await expect(page.getByText('Someone else changed this.')).toBeVisible()
    await page.getByLabel('Name of the model').fill('K-6')
    await expect(page.getByLabel('All other names')).toHaveValue(`six${key}`)
    await page.getByLabel('Name of the model').fill('K6')
    await page.getByRole('button', { name: 'Save model' }).click()
    await expect(page).toHaveURL(/model=k6$/)
    await page.getByRole('navigation', { name: 'Chosen bikes' }).getByRole('link', { name: make }).click()
    await expect(page.getByRole('table', { name: 'Models' })).toContainText('2012–2013')
    await page.getByRole('link', { name: 'All makes' }).click()
    await expect(page.getByRole('table', { name: 'Makes' })).toContainText(make)
    await expectAccessible(page, 'makes')
  })

  await test.step('the Bikes page marks all products of one kind of part as gear', async () => {
    await page.getByLabel(`Fit kind of ${kind}`, { exact: true }).selectOption('Gear')
    await page.getByRole('button', { name: `Change the fit kind of ${kind}` }).click()
    await expect(page.getByText(`${kind}: 1 product changed.`)).toBeVisible()
  })

  const findBike = async () => {
    const slug = make.toLowerCase().replaceAll(' ', '-')
    const { bikes } = await callAs<{ bikes: { id: number; year: number }[] }>(
      page,
      'GET',
      `/v1/bikes?make=${slug}&model=k6`,
    )
    return bikes.find(({ year }) => year === 2012)?.id
  }
  const findAnswer = async () => {
    const fit = await callAs<{ answer: string }>(
      page,
      'GET',
      `/v1/fitment?product=${product._id}&bike=${await findBike()}`,
    )
    return fit.answer
  }
  expect(await findAnswer()).toBe('not_confirmed')
  const list = `/products?bike=${await findBike()}`
  await page.goto(list)
  await expect(page.getByText(`No parts here are confirmed to fit the 2012 ${make} K6`)).toBeVisible()

  await test.step('three wrong rows are listed, and the corrected file changes the answer', async () => {
    await page.goto('/dashboard/import-products')
    await page.getByLabel('The file contains').selectOption('fitments')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import Fitments')
    await expectAccessible(page, 'import of fitments')
    const header = 'part_number,make,model,year_from,year_to,pieces,note'
    await choose(
      page,
      `${header}\nT-${key},${make},K7,2012,,2,\nX-${key},${make},K6,2012,,2,\nT-${key},${make},K6,2012,2011,2,\n`,
    )
    await expect(page.getByText('Fix the errors before you import this file')).toBeVisible()
    const errors = [
      `2, model, ${make} has no model "K7" in the shop. Add it on the Bikes page first`,
      '3, part_number, No product in the shop has this part number',
      '4, year_to, The last year is before the first year',
    ]
    expect((await cells(page, 'Errors')).join(', ')).toBe(errors.join(', '))
    await page.getByRole('link', { name: 'Import another file' }).click()
    await choose(
      page,
      `${header}\nT-${key},${make},K6,2012,,2,not with ABS\nT-${key},${make},K6,2013,2014,2,\n`,
    )
    await expect(page.getByText('No errors found')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Changes' })).toContainText(`2012 ${make} K6, 2 per bike`)
    await expect(page.getByText('Years without a bike in the shop')).toBeVisible()
    await expectAccessible(page, 'changes of fitments')
    expect(await findAnswer()).toBe('not_confirmed')
    await page.getByRole('main').getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByText('Imported.', { exact: true })).toBeVisible()
    await expect.poll(findAnswer).toBe('fits')
    await page.goto(list)
    await expect(page.getByRole('article', { name: product.name })).toBeVisible()
  })

  await test.step('an ACES file has errors by application, line and element', async () => {
    await page.goto('/dashboard/import-products?kind=aces')
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'fitments.xml',
      mimeType: 'text/xml',
      buffer: Buffer.from(
        `<ACES version="4.2"><Header><Company>A</Company><DocumentTitle>B</DocumentTitle>
          <SubmissionType>FULL</SubmissionType></Header>
          <App action="A"><BaseVehicle id="1"/><Part>T-${key}</Part><EngineBase id="2"/></App>
          <Footer><RecordCount>1</RecordCount></Footer></ACES>`,
      ),
    })
    const limit =
      'The shop cannot store this limit of the fit, and the part would fit more bikes without it. Remove the application'
    await expect(page.getByText('Fix the errors before you import this file')).toBeVisible()
    expect((await cells(page, 'Errors')).join(', ')).toBe(`1, 3, EngineBase, ${limit}`)
    await expectAccessible(page, 'errors of ACES XML')
    await page.getByRole('link', { name: 'Import another file' }).click()
    await page.getByLabel('The file contains').selectOption('fitments')
  })

  await test.step('an exported file has the fitments', async () => {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export plain CSV' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('fitments.csv')
    expect(await readFile(await file.path(), 'utf8')).toContain(
      `T-${key},${make},K6,2012,2012,,,2,not with ABS,shop,\n`,
    )
  })

  await test.step('the editor of a product removes a fitment, and marks the list as complete', async () => {
    await page.goto(`/dashboard/edit-product/${product._id}`)
    const first = page.getByRole('group', { name: 'Fitment 1' })
    await expect(first.getByLabel('Note')).toHaveValue('not with ABS')
    await expectAccessible(page, 'editor of fitments')
    await page.getByRole('button', { name: 'Remove fitment 1' }).press('Enter')
    // The other one is the first now.
    await expect(page.getByRole('button', { name: 'Remove fitment 1' })).toBeFocused()
    await page.getByRole('button', { name: 'Add a fitment' }).click()
    const added = page.getByRole('group', { name: 'Fitment 2' })
    await added.getByLabel('Make').fill(make)
    await added.getByLabel('Model').fill('K9')
    await added.getByLabel('First year').fill('2020')
    await page.getByLabel('The list of bikes is complete.').check()
    await page.getByRole('button', { name: 'Save fitment' }).click()
    await expect(added.getByText('The shop does not have this model')).toBeVisible()
    await added.getByLabel('Model').fill('K8')
    await expect(added.getByText('The shop does not have this model')).toBeHidden()
    await page.getByRole('button', { name: 'Remove fitment 2' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Add a fitment' })).toBeFocused()
    // This save is done, and its response gets lost. What is changed then can be saved.
    const complete = page.getByLabel('The list of bikes is complete.')
    await complete.uncheck()
    const release = await hold(page, '**/products/*/fitments*')
    await losing(page, '**/products/*/fitments*')
    await page.getByRole('button', { name: 'Save fitment' }).click()
    await expect(page.getByText("We can't reach the shop. Check your connection.")).toBeVisible()
    await complete.check()
    release()
    await expect(page.getByText('Fitment Saved')).toBeVisible()
    await page.getByRole('button', { name: 'Save fitment' }).click()
    await expect.poll(findAnswer).toBe('does_not_fit')
  })
  await deleteProduct(page, product._id)
  await deleteProduct(page, gloves._id)
})
