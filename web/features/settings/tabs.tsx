import { useEffect, useRef } from 'react'
import { useLocation } from '../../router/router.tsx'
import { readFromTab, removeFromTab } from '../../tab-storage.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { savedKey } from './queries.ts'

const tabs = [
  { href: '/dashboard/shop', name: 'Set-up' },
  { href: '/dashboard/shop/name', name: 'Name' },
  { href: '/dashboard/shop/brand', name: 'Brand' },
  { href: '/dashboard/shop/footer', name: 'Footer' },
  { href: '/dashboard/shop/home', name: 'Home' },
  { href: '/dashboard/shop/emails', name: 'Emails' },
]

/** Heading of the settings with their tabs, on a phone a bar that scrolls horizontally. */
export function SettingsHead({ title, note }: { title: string; note: string }) {
  const { pathname } = useLocation()
  const here = pathname.replace(/\/$/, '')
  const nav = useRef<HTMLElement>(null)
  // On a phone the last tabs are outside of the bar.
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [])
  useEffect(() => {
    if (readFromTab(savedKey) !== true) return
    removeFromTab(savedKey)
    showToast('success', 'Settings saved')
  }, [])
  return (
    <>
      <nav
        ref={nav}
        aria-label="Shop"
        className="overflow-x-auto border-b border-line max-lg:-mx-(--page-gutter) lg:mt-6
          max-lg:px-[calc(var(--page-gutter)-0.75rem)]"
      >
        <ul className="flex w-max">
          {tabs.map(({ href, name }) => (
            <li key={href}>
              <a
                href={href}
                aria-current={href === here ? 'page' : undefined}
                className="block border-b-3 border-transparent px-3 py-3 font-display text-lg font-semibold whitespace-nowrap text-quiet
                  hover:text-ink focus-visible:-outline-offset-3 aria-[current=page]:border-signal aria-[current=page]:text-ink"
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <PageHead title={title} note={note} />
    </>
  )
}
