import { expect, type Locator, type Page, type Request, type Route } from '@playwright/test'
import { errors } from '../../contract/errors.ts'

/** Calls the shop's API as the signed-in user of the page; returns the response body. */
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

/** Delays requests to a URL; returns a function that releases them. `waitForRequest` can miss a request of that moment. */
export async function hold(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const answer = async (route: Route) => {
    await promise
    // Playwright continues it itself if it has removed the route by now.
    await route.continue().catch(() => undefined)
  }
  await page.route(url, answer)
  return () => {
    resolve()
    // A route switches the browser's cache off. The page may be closed already.
    page.unroute(url, answer).catch(() => undefined)
  }
}

/** The console message of a read by a signed-in page that arrived after the sign-out. */
export const lateRead = /status of 401 .*\/v1\/(cart|me\/garage)/

export interface Failure {
  /** Number of requests since the start of the failure. */
  asked: () => number
  /** Ends the failure. */
  end: () => Promise<void>
}

interface RetriedFailure extends Failure {
  /** The requests to /readyz that have no response yet: the page sends one before it retries. */
  checks: ReadonlySet<Request>
}

/** Makes a URL fail: with a status as the shop would, or, with `away`, without a response. */
export async function failing(page: Page, url: string, how: 'away' | 500 = 500): Promise<RetriedFailure> {
  let asked = 0
  const checks = new Set<Request>()
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/readyz') checks.add(request)
  })
  page.on('requestfinished', (request) => checks.delete(request))
  page.on('requestfailed', (request) => checks.delete(request))
  const fail = (route: Route) => {
    asked++
    if (how === 'away') return route.abort()
    return route.fulfill({ status: how, json: { code: 'INTERNAL', message: errors.INTERNAL.message } })
  }
  await page.route(url, fail)
  return { asked: () => asked, checks, end: () => page.unroute(url, fail) }
}

/** Makes the charges of a cart fail, but not its prices, which the same call reads without a destination. */
export async function failingCharges(page: Page): Promise<Failure> {
  const url = '**/api/v1/cart/quote'
  let asked = 0
  const fail = (route: Route) => {
    const { destination } = route.request().postDataJSON() as { destination?: unknown }
    if (!destination) return route.fallback()
    asked++
    return route.abort()
  }
  await page.route(url, fail)
  return { asked: () => asked, end: () => page.unroute(url, fail) }
}

/** The next request to a URL reaches the shop. Its response gets lost, or is 503 as for a commit that is not confirmed. */
export const losing = (page: Page, url: string, how: 'away' | 503 = 'away'): Promise<unknown> =>
  page.route(
    url,
    async (route) => {
      await route.fetch()
      if (how === 'away') return route.abort()
      return route.fulfill({
        status: how,
        json: { code: 'UNAVAILABLE', message: errors.UNAVAILABLE.message },
      })
    },
    { times: 1 },
  )

/**
 * Fast-forwards the page's clock through the retries of a failing read: after 1, 2 and 4 s. It waits for each check, because
 * the clock moves the check's timeout of 5 s too.
 */
export async function waitOutRepeats(page: Page, { asked, checks }: RetriedFailure): Promise<void> {
  for (const [times, wait] of [
    [1, 1000],
    [2, 2000],
    [3, 4000],
  ] as const) {
    await expect.poll(asked).toBeGreaterThanOrEqual(times)
    const forward = async () => {
      if (checks.size === 0) await page.clock.fastForward(wait)
      return asked()
    }
    await expect.poll(forward, { intervals: [100] }).toBeGreaterThan(times)
  }
  expect(asked()).toBe(4)
}

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** Expects an error message that is linked to its field for screen readers. */
export async function expectError(page: Page, label: string, message: string): Promise<void> {
  await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, label)).toHaveAccessibleDescription(new RegExp(message))
}
export async function expectNoError(page: Page, label: string): Promise<void> {
  await expect(field(page, label)).not.toHaveAttribute('aria-invalid')
}

/** Checks that each field accepts its maximum length and rejects one more character. */
export async function expectLongest(
  page: Page,
  submit: Locator,
  fields: Record<string, number>,
): Promise<void> {
  for (const [label, max] of Object.entries(fields)) {
    await field(page, label).fill('x'.repeat(max + 1))
    await submit.click()
    await expectError(page, label, `At most ${max} characters`)
    await field(page, label).fill('x'.repeat(max))
    await expectNoError(page, label)
  }
}
