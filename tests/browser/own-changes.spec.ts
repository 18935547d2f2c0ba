import { addProduct, openDetails, restock, signInAsAdmin } from './admin-steps.ts'
import { expect, test } from './direct-shop.ts'

test('after a restock, the same browser sees the new stock on every page, and other browsers see the cached one', async ({
  page,
  shop,
  openOther,
}) => {
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  const path = `/product/${product._id}`
  await page.goto(path)
  await expect(page.getByRole('main')).toContainText('20 pcs')

  await restock(await openDetails(page, product), '15')
  await expect(page.getByRole('status').filter({ hasText: '35 pcs in stock' })).toBeVisible()
  const visitor = await openOther()
  await visitor.goto(path)
  await expect(visitor.getByRole('main')).toContainText('20 pcs')
  await page.goto(path)
  await expect(page.getByRole('main')).toContainText('35 pcs')

  // Within one document, where only the data of the next page are loaded.
  await restock(await openDetails(page, product), '7')
  await expect(page.getByRole('status').filter({ hasText: '42 pcs in stock' })).toBeVisible()
  await page.evaluate((to) => void window.navigation.navigate(to), path)
  await expect(page.getByRole('heading', { level: 1, name: product.name })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('42 pcs')
})
