import { patience } from './patience.ts'

/**
 * Runs before the application, and looks after it where a part of it can't be loaded: the network broke, or the shop has been
 * replaced by a newer one since the page was made. A page that cannot come to life says so, instead of waiting for ever.
 *
 * Is sent as text, so it may use nothing but its argument and the browser.
 */
function guardStart(patience: number): void {
  const page = document.documentElement
  const giveUp = () => {
    if (page.dataset.start !== 'done') page.dataset.start = 'failed'
  }
  const isScript = (target: EventTarget | null) => target === window || target instanceof HTMLScriptElement
  addEventListener('error', ({ target }) => isScript(target) && giveUp(), true)
  addEventListener('unhandledrejection', giveUp)
  setTimeout(giveUp, patience)
}

/** The script that stands in a document's head, before all others. */
export const startGuard = `(${String(guardStart)})(${patience})`
