import type { Page } from '@playwright/test'
import { enterAsNewRider, pauseToasts } from './steps.ts'
import { expect, test } from './test.ts'

const toast = (page: Page) => page.locator('.Toastify__toast')
const timer = (page: Page) => toast(page).getByRole('progressbar')

/** Drags the toast to the left by a part of its width, and drops it. */
async function drag(page: Page, part: number): Promise<void> {
  const box = await toast(page).boundingBox()
  if (!box) throw new Error('there is no toast')
  const [x, y] = [box.x + box.width * 0.9, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - box.width * part, y, { steps: 4 })
  await page.mouse.up()
}

/** Opens a page with one toast. */
async function openToast(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(toast(page)).toBeVisible()
}

test('toasts appear, wait and can be dragged away', async ({ page }) => {
  await enterAsNewRider(page)

  await test.step('a toast is light, at the top right, lasts 5000 ms, and waits under the mouse and without the focus', async () => {
    await openToast(page)
    // First, so that the other checks may take longer than the toast lasts.
    await pauseToasts(page)
    await expect(toast(page)).toHaveClass(/Toastify__toast-theme--light/)
    await expect(page.locator('.Toastify__toast-container')).toHaveClass(/--top-right/)
    const box = await toast(page).boundingBox()
    expect(box?.y).toBeLessThan(120)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1240)

    await expect(timer(page)).toHaveCSS('animation-duration', '5s')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(timer(page)).toHaveCSS('animation-play-state', 'running')
    await toast(page).hover()
    await expect(timer(page)).toHaveCSS('animation-play-state', 'paused')
    await page.mouse.move(10, 700)
    await expect(timer(page)).toHaveCSS('animation-play-state', 'running')

    // This animation takes the 5000 ms: when it ends the toast disappears.
    await timer(page).evaluate((bar) => {
      for (const animation of bar.getAnimations()) animation.finish()
    })
    await expect(toast(page)).toHaveCount(0)
  })

  await test.step('a toast that is dragged over 80 percent of its width disappears, and otherwise comes back', async () => {
    await openToast(page)
    await pauseToasts(page)
    await toast(page).hover()
    await drag(page, 0.78)
    await expect(toast(page)).toHaveCSS('opacity', '1')
    await expect(toast(page)).toHaveCount(1)
    await toast(page).hover()
    await drag(page, 0.82)
    await expect(toast(page)).toHaveCount(0)
  })
})
