import type { MouseEvent } from 'react'
import { isPlainClick } from '../router/navigation.ts'
import { buttonClass } from './button.tsx'

interface PagesNavProps {
  page: number
  pages: number
  /** Returns the URL of a page. */
  link: (page: number) => string
  label?: string
}

/** Pagination of a list. Renders nothing for a single page. */
export function PagesNav({ page, pages, link, label = 'Pages' }: PagesNavProps) {
  if (pages < 2) return null
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-center gap-2 py-10">
      <PageStep href={link(page - 1)} shown={page > 1} label="Previous" rel="prev" />
      <ul className="flex flex-wrap gap-1 max-xs:order-last max-xs:basis-full max-xs:justify-center">
        {shownPages(page, pages).map((number, index, all) => (
          <li key={number} className="flex items-center gap-1">
            {number > (all[index - 1] ?? 0) + 1 && <span aria-hidden="true">…</span>}
            <a
              href={link(number)}
              onClick={leave}
              aria-label={`Page ${number}`}
              aria-current={number === page ? 'page' : undefined}
              className={`flex h-11 min-w-11 items-center justify-center rounded-control px-1 font-display text-lg font-semibold
                tabular-nums ${number === page ? 'bg-ink text-white' : 'hover:bg-shade'}`}
            >
              {number}
            </a>
          </li>
        ))}
      </ul>
      <PageStep href={link(page + 1)} shown={page < pages} label="Next" rel="next" />
    </nav>
  )
}

function PageStep({ href, shown, label, rel }: { href: string; shown: boolean; label: string; rel: string }) {
  if (!shown) return <span className="max-xs:hidden w-24" />
  return (
    <a href={href} rel={rel} onClick={leave} className={`${buttonClass('quiet')} w-24 max-xs:grow`}>
      {label}
    </a>
  )
}

/** Gives up the focus, which then moves to the next page: it starts at its top, where the link is not on the screen. */
function leave(event: MouseEvent<HTMLElement>): void {
  if (isPlainClick(event)) event.currentTarget.blur()
}

/** Returns the first and the last page, and up to three adjacent ones that include the current one. */
function shownPages(page: number, pages: number): number[] {
  const shown = Math.min(3, pages)
  const first = Math.min(Math.max(1, page - 1), pages - shown + 1)
  const adjacent = Array.from({ length: shown }, (_, index) => first + index)
  return [...new Set([1, ...adjacent, pages])]
}
