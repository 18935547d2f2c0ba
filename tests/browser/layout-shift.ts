import type { Page } from '@playwright/test'

interface Watched extends Window {
  shift: number
}

/** Adds up the layout shifts of each page, from its first paint. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const watched = window as unknown as Watched
    watched.shift = 0
    const add = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries())
        watched.shift += (entry as PerformanceEntry & { value: number }).value
    }
    new PerformanceObserver(add).observe({ type: 'layout-shift' })
  })

/** Waits three frames, because a layout shift is reported with its frame. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    return (window as unknown as Watched).shift
  })
