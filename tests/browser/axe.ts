import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

/** Less than half as long as `axe.source`. Each document has to compile it. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface ScanOptions {
  /** Also checks the documents in frames, which takes much longer. */
  frames?: boolean
}

/** Expects no horizontal scrolling and no axe violations, on a phone and on a desktop. */
export async function expectAccessible(page: Page, where: string, options?: ScanOptions): Promise<void> {
  const before = page.viewportSize()
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await readScrollWidth(page), `${where} at ${width} pixels`).toBe(width)
    await expectNoViolations(page, `${where} at ${width} pixels`, options)
  }
  if (before) await page.setViewportSize(before)
}

/** Expects no violations of WCAG 2.2 AA or of axe's best practices. */
export async function expectNoViolations(
  page: Page,
  where: string,
  { frames = false }: ScanOptions = {},
): Promise<void> {
  // Colours have the wrong contrast during a transition or a short animation.
  await page.evaluate(async () => {
    if (document.adoptedStyleSheets.length === 0) {
      const style = new CSSStyleSheet()
      style.replaceSync('*, ::before, ::after { transition: none !important }')
      document.adoptedStyleSheets.push(style)
    }
    const short = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) < 1000)
    await Promise.allSettled(short.map(({ finished }) => finished))
  })
  expect(await (frames ? scanWithFrames(page) : scan(page)), where).toEqual([])
}

// Faster without the details of what passes, and without loading the style sheets again: no enabled rule needs them.
const options: axe.RunOptions = { resultTypes: ['violations'], preload: false }

/** Formats a broken rule with its elements. */
const toText = ({ id, nodes }: axe.Result): string => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`

/** Returns each broken rule. */
async function scan(page: Page): Promise<string[]> {
  // Once per document: AxeBuilder would load axe twice for each scan, which takes longer than the scan.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const violations = await page.evaluate(
    async (given) => {
      const { axe: loaded } = window as unknown as { axe: typeof axe }
      return (await loaded.run(document, given)).violations
    },
    { ...options, iframes: false },
  )
  return violations.map(toText)
}

/** The results of frames need a second page, which AxeBuilder opens. */
async function scanWithFrames(page: Page): Promise<string[]> {
  expect(page.frames().length).toBeGreaterThan(1)
  return (await new AxeBuilder({ page }).options(options).analyze()).violations.map(toText)
}

/** Returns the width of the document, which exceeds the window's width if something is too wide. */
export const readScrollWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth)
