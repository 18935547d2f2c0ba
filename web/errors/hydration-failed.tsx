import { type ReactNode, useEffect } from 'react'
import { buttonClass } from '../ui/button.tsx'

/** Messages that work without hydration. `hydration-watchdog.ts` shows them. */
export function HydrationFailed() {
  useEffect(() => {
    document.documentElement.dataset.start = 'done'
  }, [])
  return (
    <>
      <Message id="not-started" className="in-data-[start=failed]:block in-data-unreachable:hidden">
        This page did not load completely. Buttons and forms may not work.
      </Message>
      <Message id="unreachable" className="in-data-unreachable:block">
        We can't reach the shop. The page opens automatically when the shop responds again.
      </Message>
    </>
  )
}

function Message({ id, className, children }: { id: string; className: string; children: ReactNode }) {
  return (
    <div id={id} role="alert" className={`hidden bg-bad-wash ${className}`}>
      <div className="page-width flex flex-wrap items-center gap-x-6 gap-y-3 py-4">
        <p className="font-semibold text-bad">{children}</p>
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- an empty href reloads this page */}
        <a href="" className={buttonClass('ink', 'small')}>
          Try again
        </a>
      </div>
    </div>
  )
}
