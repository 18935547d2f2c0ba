import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Finds what WCAG 2.2 AA forbids, and what axe holds good practice beyond it. */
export async function expectNothing(page: Page, where: string): Promise<void> {
  // What is fading in, or changing its colour, is on its way to what one sees.
  await page.evaluate(async () => {
    const short = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) < 1000)
    await Promise.allSettled(short.map(({ finished }) => finished))
  })
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found, where).toEqual([])
}
