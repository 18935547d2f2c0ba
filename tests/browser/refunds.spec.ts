import type { Refund } from '../../contract/payments.ts'
import { signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { expectError } from './specification-steps.ts'
import { expect, test } from './test.ts'

const at = '2026-05-04T10:20:00.000Z'
const refund = (status: Refund['status'], more: Partial<Refund> = {}): Refund => ({
  id: status,
  orderId: `${status}000000000000000000`,
  customerEmail: `a-rider-with-a-rather-long-name-of-${status}@mail.example.com`,
  intentId: `pi_${status}${'x'.repeat(24)}`,
  amount: 999_999.99,
  kind: 'unmatched',
  lines: [],
  reason: 'order already paid',
  status,
  failures: 0,
  createdAt: at,
  updatedAt: at,
  ...more,
})

/** A refund in each state, as the shop returns it. Other tests cover the transitions. */
const everyState: Refund[] = [
  refund('due', { nextAttemptAt: at }),
  refund('pending', { nextAttemptAt: at, refundId: 're_1' }),
  refund('succeeded', { refundId: 're_2' }),
  refund('failed', {
    nextAttemptAt: at,
    refundId: 're_3',
    failures: 2,
    failure: 'lost_or_stolen_card',
  }),
]

test('an admin sees the amount, the reason and the failure of each refund, and closes a failed one', async ({
  page,
  shop,
  expectConsole,
}) => {
  await signInAsAdmin(page, shop)
  await page.goto('/dashboard/refunds')
  await expect(page.getByRole('heading', { name: 'No refunds' })).toBeVisible()
  await expectAccessible(page, 'no refunds')

  await page.route('**/api/v1/refunds?*', (route) => {
    const status = new URL(route.request().url()).searchParams.get('status')
    const json = everyState.filter((each) => status === null || each.status === status)
    return route.fulfill({ json, headers: { 'X-Total-Count': String(json.length) } })
  })
  await page.goto('/dashboard/refunds')
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows).toHaveCount(4)
  await expect(rows).toContainText(['Due', 'Pending', 'Refunded', 'Failed'])
  await expect(rows.first()).toContainText('$999,999.99')
  await expect(rows.first()).toContainText('Order already paid')
  await expect(rows.first().getByRole('link')).toHaveAttribute('href', /\/dashboard\/search\?q=due0/)
  await expect(page.getByLabel('Sort by')).toHaveCount(0)
  await expect(rows.last()).toContainText('Failed 2 times: lost_or_stolen_card')
  await expectAccessible(page, 'refunds')
  await page.getByRole('link', { name: 'Failed refunds' }).click()
  await expect(rows).toHaveCount(1)
  await page.getByRole('link', { name: 'All refunds' }).click()
  await expect(rows).toHaveCount(4)

  await page.getByLabel('From').fill('2026-05-01')
  await page.getByLabel('To', { exact: true }).fill('2026-05-31')
  const filtered = page.waitForRequest(/\/refunds\?.*from=2026-0.*to=2026-0/)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await filtered
  const exported = page.waitForRequest(/\/refunds\.csv\?.*from=2026-0.*to=2026-0/)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
    exported,
  ])
  expect(file.suggestedFilename()).toBe('refunds.csv')

  // The shop does not have this refund.
  expectConsole(/status of 404/)
  await rows
    .last()
    .getByRole('button', { name: /^Close the refund of/ })
    .click()
  await page.getByRole('button', { name: 'Close refund' }).click()
  await expectError(page, 'How did the customer get the money?', 'Say how the customer got the money')
  await expectAccessible(page, 'closing a refund')
  await page.getByLabel('How did the customer get the money?').fill('Bank transfer of 3 March')
  await page.getByRole('button', { name: 'Close refund' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Not found.')

  // The shop responds after the dialog was closed and opened again.
  const response = Promise.withResolvers<void>()
  await page.route('**/api/v1/refunds/failed', async (route) => {
    await response.promise
    await route.fulfill({ json: everyState[3] })
  })
  await page.getByRole('button', { name: 'Close refund' }).click()
  await page.keyboard.press('Escape')
  await rows
    .last()
    .getByRole('button', { name: /^Close the refund of/ })
    .click()
  await page.getByLabel('How did the customer get the money?').fill('In cash')
  response.resolve()
  await expect(page.getByText('Refund closed')).toBeVisible()
  await expect(page.getByLabel('How did the customer get the money?')).toHaveValue('In cash')
})
