import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Expects no horizontal scrolling and no axe violations, on a phone and on a desktop. Ends at 1280 pixels. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await readScrollWidth(page), `${where} at ${width} pixels`).toBe(width)
    await expectNoViolations(page, `${where} at ${width} pixels`)
  }
}

/** Expects no violations of WCAG 2.2 AA or of axe's best practices. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  // Wait for short animations, because colours have the wrong contrast until they end.
  await page.evaluate(async () => {
    const short = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) < 1000)
    await Promise.allSettled(short.map(({ finished }) => finished))
  })
  // A scan without the details of what passes, and without a second page for the results of frames, is four times as fast.
  const hasFrames = page.frames().length > 1
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(!hasFrames)
  const { violations } = await axe.analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found, where).toEqual([])
}

/** Returns the width of the document, which is more than that of the window if something is too wide. */
export const readScrollWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth)
