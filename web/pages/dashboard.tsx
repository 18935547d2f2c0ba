import { useEffect, useRef } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router'
import { useUser } from '../features/identity/session.ts'

interface Place {
  to: string
  name: string
}

const everybody: Place[] = [{ to: '/dashboard', name: 'My Profile' }]
const customers: Place[] = [
  { to: '/dashboard/my-orders', name: 'My Orders' },
  { to: '/dashboard/add-review', name: 'Add a Review' },
]
const admins: Place[] = [
  { to: '/dashboard/manage-users', name: 'Manage Users' },
  { to: '/dashboard/manage-orders', name: 'Manage Orders' },
  { to: '/dashboard/manage-products', name: 'Manage Products' },
  { to: '/dashboard/add-product', name: 'Add Product' },
  { to: '/dashboard/refunds', name: 'Refunds' },
  { to: '/dashboard/audit', name: 'Audit' },
]

/** The frame of one's own pages: a menu at the side, on a phone a bar that scrolls sideways. */
export default function Dashboard() {
  const { role } = useUser()
  const menu = useCurrentInView()
  const places = [...everybody, ...(role === 'admin' ? admins : customers)]
  return (
    <div className="page-width grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-14">
      <nav
        ref={menu}
        aria-label="Dashboard"
        className="border-line max-lg:-mx-[clamp(1rem,4vw,2.5rem)] max-lg:overflow-x-auto max-lg:border-b max-lg:bg-shade max-lg:px-[calc(clamp(1rem,4vw,2.5rem)-0.75rem)] lg:pt-14"
      >
        <ul className="flex lg:sticky lg:top-24 lg:flex-col">
          {places.map(({ to, name }) => (
            <li key={to}>
              <NavLink
                to={to}
                end
                className="block border-transparent px-3 py-3 font-display text-lg font-semibold whitespace-nowrap
                  text-quiet hover:text-ink aria-[current=page]:border-signal aria-[current=page]:text-ink
                  max-lg:border-b-3 lg:border-l-3 lg:py-2 lg:pl-4"
              >
                {name}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  )
}

/** Scrolls the bar to the page that one is on, so that one sees where one is. */
function useCurrentInView() {
  const menu = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const bar = menu.current
    const current = bar?.querySelector(`a[href="${CSS.escape(pathname)}"]`)
    if (!bar || !current) return
    const { left, width } = current.getBoundingClientRect()
    bar.scrollLeft += left - bar.getBoundingClientRect().left - (bar.clientWidth - width) / 2
  }, [pathname])
  return menu
}
