import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ownGtin } from '../../seed/numbers.ts'
import { addPart, addProductInSizes, setOptions, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './direct-shop.ts'
import { failing, hold } from './specification-steps.ts'

test.use({ viewport: { width: 360, height: 740 } })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Types like a scanner, which ends with Enter, into what has the focus. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

/** Returns a GTIN that no seeded product has. */
const newGtin = () => ownGtin(randomInt(1e10, 1e11))

test('an admin adds a delivery by scanning, and counts a shelf', async ({ page, shop, expectConsole }) => {
  // The browser logs the request without an answer.
  expectConsole(/ERR_FAILED/)
  await signInAsAdmin(page, shop)
  const code = String(randomInt(1e6, 1e7))
  const pads = await addPart(page, { quantity: 3, minimum: 1 })
  const chain = await addPart(page, { name: `Chain ${code}`, quantity: 0, minimum: 1 })
  await setOptions(page, pads._id, {
    options: 'none',
    variants: [{ id: pads._id, sku: `BP-${code}`, shelf: 'B-12' }],
  })
  const digits = String(randomInt(1e4, 1e5))
  const bolt = await addPart(page, { name: `Bolt ${code}`, minimum: 1 })
  await setOptions(page, bolt._id, { options: 'none', variants: [{ id: bolt._id, sku: digits }] })
  const gtin = newGtin()
  const findProduct = async (unknownCode: string, name: string) => {
    await button(page, `Find product of ${unknownCode}`).click()
    const dialog = page.getByRole('dialog', { name: `Find product of ${unknownCode}` })
    await dialog.getByLabel('Name or part number').fill(name)
    await dialog.getByLabel('Name or part number').press('Enter')
    await dialog.getByRole('button', { name }).click()
  }
  const said = page.getByRole('status').first()
  const field = page.getByLabel('Scan an item')

  await test.step('each scan adds a piece, and digits set the number of the last item', async () => {
    await page.goto('/dashboard/goods-in')
    await expect(field).toBeFocused()
    await scan(page, `BP-${code}`)
    await expect(said).toHaveText(`1 × ${pads.name}`)
    await scan(page, `bp ${code}`)
    await expect(said).toHaveText(`2 × ${pads.name}`)
    await scan(page, '12')
    await expect(said).toHaveText(`12 × ${pads.name}`)
    // A part number of digits is an item.
    await scan(page, digits)
    await expect(said).toHaveText(`1 × ${bolt.name}`)
    await button(page, `Remove ${bolt.name}`).click()
  })

  await test.step("a scanner's Enter presses no button", async () => {
    await button(page, /^Book/).focus()
    await scan(page, `BP-${code}`)
    await expect(said).toHaveText(`13 × ${pads.name}`)
    await expect(field).toBeFocused()
  })

  await test.step('an unknown code waits for its product, which gets it as GTIN', async () => {
    await scan(page, gtin)
    await expect(said).toHaveText(`Unknown code: ${gtin}`)
    await expectAccessible(page, 'goods in')
    await findProduct(gtin, chain.name)
    await expect(said).toHaveText(`1 × ${chain.name}`)
    await scan(page, gtin)
    await expect(said).toHaveText(`2 × ${chain.name}`)
  })

  await test.step('a number after an unknown code belongs to this code, and not to the last item', async () => {
    const other = newGtin()
    await scan(page, other)
    await expect(said).toHaveText(`Unknown code: ${other}`)
    await scan(page, '12')
    await expect(said).toHaveText(`12 × ${other}: find its product.`)
    const unanswered = newGtin()
    const { end } = await failing(page, '**/api/v1/scan?*', 'away')
    await scan(page, unanswered)
    await expect(said).toContainText("We can't reach the shop")
    await end()
    await scan(page, '7')
    await expect(said).toHaveText(`7 × ${unanswered}: find its product.`)
    const codes = page.getByRole('region', { name: 'Unknown codes' }).getByRole('listitem')
    await expect(codes).toContainText([`${unanswered} × 7`, `${other} × 12`])
    await expect(button(page, 'Book 2 items, 15 pcs')).toBeVisible()
    for (const each of [other, unanswered]) await button(page, `Remove ${each}`).click()
  })

  await test.step('each scan of a code of several items asks for the item', async () => {
    const sizes = await addProductInSizes(page, { M: 0, L: 0 }, { name: `Jacket ${code}` })
    const shared = newGtin()
    const variants = (sizes.variants ?? []).map(({ id, size }) => ({ id, size, gtin: shared }))
    await setOptions(page, sizes._id, { options: 'variants', variants })
    await scan(page, shared)
    await expect(said).toHaveText(`Several items have the code ${shared}.`)
    await button(page, `${sizes.name}, M`).click()
    await expect(said).toHaveText(`1 × ${sizes.name}, M`)
    await scan(page, shared)
    await expect(said).toHaveText(`Several items have the code ${shared}.`)
    await button(page, `Remove ${shared}`).click()
    await button(page, `Remove ${sizes.name}, M`).click()
  })

  await test.step('a scan that the browser cannot store is refused, and the list survives a reload', async () => {
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await scan(page, `BP-${code}`)
    await expect(said).toContainText('Your browser could not save this change.')
    await page.reload()
    await expect(button(page, 'Book 2 items, 15 pcs')).toBeVisible()
  })

  await test.step('a double click adds the list once', async () => {
    await expect(page.getByRole('region', { name: 'Last item' })).toContainText(chain.name)
    const other = newGtin()
    await field.focus()
    await scan(page, other)
    await expect(said).toHaveText(`Unknown code: ${other}`)
    await page.getByLabel('Delivery note (optional)').fill('4711')
    // The first answer is lost, so that the list is booked without the page knowing it.
    let lost = true
    await page.route('**/api/v1/receipts', async (route) => {
      const response = await route.fetch()
      if (lost) await route.abort()
      else await route.fulfill({ response })
    })
    await button(page, 'Book 2 items, 15 pcs').click()
    await expect(said).toContainText("We can't reach the shop")
    // Its pieces would be neither booked nor listed.
    await findProduct(other, bolt.name)
    await expect(said).toContainText('Book this list first')
    lost = false
    await button(page, 'Book 2 items, 15 pcs').dblclick()
    await expect(said).toHaveText('Booked.')
    await expect(field).toBeFocused()
    await page.unroute('**/api/v1/receipts')
    await page.goto(`/dashboard/imports`)
    const rows = page.getByRole('row').filter({ hasText: 'Goods in: 4711' })
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('2 changed')
  })

  await test.step('a delivery note as a file is ticked off by scanning', async () => {
    await page.goto('/dashboard/goods-in')
    await page.getByRole('link', { name: 'Delivery note as a file' }).click()
    await page.getByLabel('Choose a file').setInputFiles({
      name: '4712.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`sku,quantity\nBP-${code},2\nX-${code},1\n`),
    })
    await page.getByRole('link', { name: 'Tick off in Goods In' }).click()
    await expect(page).toHaveURL(/goods-in$/)
    const note = page.getByRole('region', { name: 'Delivery note' })
    await expect(note).toContainText('0 of 1 items complete')
    await expect(field).toBeFocused()
    await scan(page, `BP-${code}`)
    await expect(said).toHaveText(`1 of 2: ${pads.name}`)
    await expect(note).toContainText('Differences: 1 with missing pieces')
    await expectAccessible(page, 'a delivery note')
    await field.focus()
    await scan(page, `BP-${code}`)
    await expect(note).toContainText('1 of 1 items complete')
    await button(page, 'Book 1 item, 2 pcs').click()
    await expect(said).toHaveText('Booked.')
  })

  await test.step('a stocktake shows what is missing, and corrects the stock', async () => {
    await page.goto('/dashboard/stocktake')
    await expect(field).toBeFocused()
    await scan(page, `BP-${code}`)
    await expect(said).toHaveText(`1 × ${pads.name}`)
    await scan(page, '16')
    await expect(page.getByText('Expected 18: 2 missing')).toBeVisible()
    await expectAccessible(page, 'a stocktake')
    await field.focus()
    // The shop looks four digits up first. The list is not booked before it has answered.
    const answer = await hold(page, '**/api/v1/scan?*')
    await scan(page, '1017')
    await button(page, 'Book 1 item, 16 pcs').click()
    answer()
    await expect(said).toHaveText('Booked.')
    await page.goto(`/product/${pads._id}`)
    await expect(page.getByText('1017 pcs').first()).toBeVisible()
  })
})
