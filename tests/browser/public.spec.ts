import { lateRead } from './specification-steps.ts'
import { enter, started } from './steps.ts'
import { expect, test } from './test.ts'

test.describe('without JavaScript', () => {
  test('home and products are complete', async ({ request }) => {
    const read = async (path: string) => (await request.get(path)).text()
    const listCards = (html: string) => html.split('<article').slice(1)
    const home = await read('/')
    expect(home).toMatch(/<a [^>]*href="\/"[^>]*>(?:(?!<\/a>).)*Torque Yard/s)
    const cards = listCards(home)
    expect(cards).toHaveLength(4)
    for (const card of cards) expect(card).toMatch(/<a [^>]*href="\/purchase\/[^>]*>Buy Now/)
    expect(home).toMatch(/<a [^>]*>(?:(?!<\/a>).)*Read More/s)
    expect(home).toMatch(/<a [^>]*href="\/reviews"[^>]*>See All/)

    const products = await read('/products')
    expect(listCards(products)[0]).toContain('$')
    expect(products).toMatch(/<a [^>]*href="(?:\/products)?\?page=2"[^>]*>(?:(?!<\/a>).)*Next/s)
    const second = listCards(await read('/products?page=2'))
    expect(second.length).toBeGreaterThan(0)
    expect(second[0]).not.toBe(listCards(products)[0])
  })
})

test('an unknown path shows the 404 page with status 404', async ({ page, expectConsole }) => {
  expectConsole(/status of 404/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByText('Error 404')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Oops! Page is broken...' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to homepage' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('only customers have Browse All, and admins have Update in place of Buy Now', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(lateRead)
  await page.goto('/')
  await started(page)
  await expect(page.getByRole('link', { name: 'Browse All' })).toHaveCount(0)
  await enter(page, 'rider@example.com', shop.password)
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Browse All' })).toHaveAttribute('href', '/products')
  await page.getByRole('button', { name: /account/i }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Browse All' })).toHaveCount(0)

  await enter(page, 'admin@example.com', shop.password)
  await page.goto('/')
  await expect(page.getByRole('article').getByRole('link', { name: /Update/ })).toHaveCount(4)
  await expect(page.getByRole('link', { name: 'Browse All' })).toHaveCount(0)
})
