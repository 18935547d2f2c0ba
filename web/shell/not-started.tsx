import { useEffect } from 'react'
import { buttonClass } from '../ui/button.tsx'

/** What a page says that cannot come to life: works without any script. `start-guard.ts` shows it. */
export function NotStarted() {
  useEffect(() => {
    document.documentElement.dataset.start = 'done'
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
