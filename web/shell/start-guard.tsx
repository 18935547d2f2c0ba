import { use, useEffect } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { Nonce } from './nonce.ts'
import { patience } from './travel.tsx'

interface RouterWindow extends Window {
  /** React Router's, from the moment on at which the page comes to life. */
  __reactRouterDataRouter?: {
    state: { navigation: { location?: { pathname: string; search: string; hash: string } } }
  }
}

/**
 * Runs before the application, and looks after it where a part of it can't be loaded: the network broke, or the shop
 * has been replaced by a newer one since the page was opened.
 *
 * A page that cannot come to life says so, instead of waiting for ever. On the way to another page React Router
 * reloads the one that is being left; then this goes on to where one wanted to go, by a document of its own, which
 * knows the newer parts and ends any going round in circles.
 *
 * Is sent as text, so it may use nothing but its arguments and the browser.
 */
function guardStart(goal: string, patience: number): void {
  const page: RouterWindow = window
  const giveUp = () => {
    if (!page.__reactRouterDataRouter) document.documentElement.dataset.start = 'failed'
  }
  const isScript = (target: EventTarget | null) => target === page || target instanceof HTMLScriptElement
  page.addEventListener('error', ({ target }) => isScript(target) && giveUp(), true)
  page.addEventListener('unhandledrejection', giveUp)
  page.setTimeout(giveUp, patience)

  page.addEventListener('pagehide', () => {
    const next = page.__reactRouterDataRouter?.state.navigation.location
    if (next) sessionStorage.setItem(goal, next.pathname + next.search + next.hash)
  })
  page.addEventListener('pageshow', () => sessionStorage.removeItem(goal))
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const wanted = sessionStorage.getItem(goal)
  if (wanted && load?.type === 'reload') page.location.replace(wanted)
}

/** Stands in the head, before all other scripts. */
export function StartGuard() {
  const nonce = use(Nonce)
  const __html = `(${String(guardStart)})('goal', ${patience})`
  // The browser's bundle spells the same function otherwise.
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />
}

/** What a page says that cannot come to life: works without any script. */
export function NotStarted() {
  useEffect(() => {
    delete document.documentElement.dataset.start
  }, [])
  return (
    <div role="alert" className="hidden bg-bad-wash in-data-[start=failed]:block">
      <div className="page-width flex flex-wrap items-center gap-x-6 gap-y-3 py-4">
        <p className="font-semibold text-bad">
          A part of this page could not be loaded, so that it does not react.
        </p>
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- the empty address is that of this very page */}
        <a href="" className={buttonClass('ink', 'small')}>
          Try again
        </a>
      </div>
    </div>
  )
}
