import { expect, type Locator, type Page, type Route } from '@playwright/test'
import { errors } from '../../contract/errors.ts'

/** Makes a call of the shop as whoever is signed in on the page; answers what the shop answers. */
export async function callAs<Answer>(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const response = await page.request.fetch(`/api${path}`, {
    method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(body && { data: body }),
  })
  expect(response.ok(), `${method} ${path}: ${response.status()}`).toBe(true)
  return (await response.json()) as Answer
}

/** Keeps the answers of an address back; answers what lets them go. */
export async function hold(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

export interface Failure {
  /** How often the address was asked since. */
  asked: () => number
  /** From now on it answers as it should. */
  end: () => Promise<void>
}

/** Lets an address fail: with a status as the shop would, or, with `away`, without any answer. */
export async function failing(page: Page, url: string, how: 'away' | 500 = 500): Promise<Failure> {
  let asked = 0
  const fail = (route: Route) => {
    asked++
    if (how === 'away') return route.abort()
    return route.fulfill({ status: how, json: { code: 'INTERNAL', message: errors.INTERNAL.message } })
  }
  await page.route(url, fail)
  return { asked: () => asked, end: () => page.unroute(url, fail) }
}

/** Waits out the repeats of a read that fails: after 1, 2 and 4 s, on the page's own clock. */
export async function waitOutRepeats(page: Page, { asked }: Failure): Promise<void> {
  for (const [times, wait] of [
    [1, 1000],
    [2, 2000],
    [3, 4000],
  ] as const) {
    await expect.poll(asked).toBeGreaterThanOrEqual(times)
    const forward = async () => {
      await page.clock.fastForward(wait)
      return asked()
    }
    await expect.poll(forward, { intervals: [100] }).toBeGreaterThan(times)
  }
  expect(asked()).toBe(4)
}

/** The control under a label. */
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** What stands below a field, and is read out with it. */
export async function expectError(page: Page, label: string, message: string): Promise<void> {
  await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, label)).toHaveAccessibleDescription(new RegExp(message))
}
export async function expectNoError(page: Page, label: string): Promise<void> {
  await expect(field(page, label)).not.toHaveAttribute('aria-invalid')
}

/** So many characters are taken in each field, and one more is told beside it. */
export async function expectLongest(
  page: Page,
  submit: Locator,
  fields: Record<string, number>,
): Promise<void> {
  for (const [label, most] of Object.entries(fields)) {
    await field(page, label).fill('x'.repeat(most + 1))
    await submit.click()
    await expectError(page, label, `At most ${most} characters`)
    await field(page, label).fill('x'.repeat(most))
    await expectNoError(page, label)
  }
}
