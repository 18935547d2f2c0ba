import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Expects no violations of WCAG 2.2 AA or of axe's best practices. */
export async function expectNothing(page: Page, where: string): Promise<void> {
  // Wait for short animations, because colours have the wrong contrast until they end.
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
