import { getPermissions } from '../../contract/permissions.ts'
import { searchPath } from '../features/desk/paths.ts'
import { DeskSearchForm } from '../features/desk/search-form.tsx'
import { useSession } from '../features/identity/session.ts'
import { menuGroups, staffPages } from '../features/staff/pages.ts'
import { readStaffRole } from '../features/staff/permissions.tsx'
import { matchDashboardRoute } from '../router/dashboard-routes.ts'
import type { LayoutProps, RouteModule } from '../router/page.ts'
import { useLocation, useSettings } from '../router/router.tsx'
import { SearchIcon } from '../ui/icons.tsx'

// For `open-page.ts`. The list has all pages: the build makes one file of each, so no page is loaded twice.
export const matchRoute = matchDashboardRoute
export const pages = import.meta.glob<RouteModule>('../pages/*.tsx')

const profile = { href: '/dashboard', name: 'My Profile' }
const security = { href: '/dashboard/security', name: 'Security' }
const customers = [
  { href: '/dashboard/my-orders', name: 'My Orders' },
  { href: '/dashboard/add-review', name: 'Add a Review' },
  { href: '/dashboard/my-addresses', name: 'My Addresses' },
]
const garage = { href: '/garage', name: 'My Garage' }
/** Until the role is known, the menu is the one of an admin. */
const presumedRole = 'admin'

/**
 * Layout of the dashboard: a side menu, on a phone a bar that scrolls horizontally. Until the user is known, the menu is
 * the one of the users that the page is for.
 */
export default function Dashboard({ children }: LayoutProps) {
  const session = useSession()
  const { pathname, search } = useLocation()
  const here = pathname.replace(/\/$/, '')
  const user = session.status === 'signed-in' ? session.user : undefined
  const isForStaff = matchDashboardRoute(here)?.route.modules.includes('admin-only')
  const role = user ? readStaffRole(user) : isForStaff ? presumedRole : undefined
  const permissions = getPermissions(role)
  const q = here === searchPath ? (new URLSearchParams(search).get('q') ?? '') : ''
  const shown = toMenuPath(here)
  const { hasBikes } = useSettings()
  const own = hasBikes ? [...customers, garage] : customers
  const isAdmin = role === 'admin' || role === 'owner'
  const listStaffEntries = (group?: (typeof menuGroups)[number]) =>
    staffPages.flatMap((page) =>
      page.name && page.group === group && permissions.has(page.permission)
        ? { href: `/dashboard/${page.path}`, name: page.name }
        : [],
    )
  // An admin does not buy.
  const groups = [
    { title: '', entries: [...listStaffEntries(), profile] },
    ...menuGroups.map((title) => ({ title, entries: listStaffEntries(title) })),
    { title: role ? 'Account' : '', entries: [...(isAdmin ? [] : own), security] },
  ].filter(({ entries }) => entries.length > 0)
  const searches = permissions.has('orders')
  return (
    <div className="page-width grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-14">
      <nav
        aria-label="Dashboard"
        className="border-line max-lg:-mx-(--page-gutter) max-lg:overflow-x-auto max-lg:border-b max-lg:bg-shade
          max-lg:px-[calc(var(--page-gutter)-0.75rem)] lg:pt-14"
      >
        {/* The other menu is not the same links in other places. */}
        <ul
          key={isAdmin ? presumedRole : role}
          className="flex max-lg:w-max lg:sticky lg:top-32 lg:max-h-[calc(100svh-8rem)] lg:flex-col
            lg:overflow-y-auto"
        >
          {searches && (
            <li className="sticky left-[min(0px,0.75rem-var(--page-gutter))] bg-shade lg:hidden">
              <a
                href={searchPath}
                aria-label="Search for an order or a customer"
                aria-current={here === searchPath ? 'page' : undefined}
                className="flex h-full items-center border-b-3 border-transparent px-3 text-quiet hover:text-ink
                  aria-[current=page]:border-signal aria-[current=page]:text-ink"
              >
                <SearchIcon className="size-6" />
              </a>
            </li>
          )}
          {groups.map(({ title, entries }) => (
            <li key={entries[0]?.href} className="max-lg:contents">
              {title && (
                <p className="px-4 pt-3 pb-1 text-sm font-semibold tracking-wide text-quiet uppercase max-lg:hidden">
                  {title}
                </p>
              )}
              <ul aria-label={title || undefined} className="flex lg:flex-col">
                {entries.map(({ href, name }) => (
                  <li key={href}>
                    <a
                      ref={href === shown ? scrollToLink : undefined}
                      href={href}
                      aria-current={href === shown ? 'page' : undefined}
                      className="block border-transparent px-3 py-3 font-display text-lg font-semibold whitespace-nowrap
                        text-quiet hover:text-ink aria-[current=page]:border-signal aria-[current=page]:text-ink
                        max-lg:border-b-3 lg:border-l-3 lg:py-2 lg:pl-4 lg:pointer-fine:py-1"
                    >
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </nav>
      {/* As high as the screen, so that the footer does not move into view when a short page is loaded. */}
      <div className="min-h-[calc(100svh-4rem)] min-w-0">
        {searches && (
          // The same height until the user is known to be staff.
          <div className="h-17 max-w-narrow pt-6 max-lg:hidden">{user && <DeskSearchForm q={q} />}</div>
        )}
        {children}
      </div>
    </div>
  )
}

/** Some pages are tabs of one entry. */
function toMenuPath(path: string): string {
  if (/^\/dashboard\/(edit-page\/.*|redirects)$/.test(path)) return '/dashboard/pages'
  return path.startsWith('/dashboard/shop/') ? '/dashboard/shop' : path
}

/**
 * Scrolls the menu so that the link to the current page is visible: sideways on a phone. As a `ref`, it runs again when the
 * role is loaded and the menu gets other links.
 */
function scrollToLink(link: HTMLElement | null) {
  const bar = link?.closest('nav')
  const list = bar?.firstElementChild
  if (!link || !bar || !list) return
  const { left, width, bottom } = link.getBoundingClientRect()
  bar.scrollLeft += left - bar.getBoundingClientRect().left - (bar.clientWidth - width) / 2
  list.scrollTop += Math.max(0, bottom - list.getBoundingClientRect().bottom)
}
