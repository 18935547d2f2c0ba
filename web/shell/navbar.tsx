import { NavLink } from 'react-router'
import { AccountMenu } from '../features/identity/account-menu.tsx'
import { MenuIcon } from '../ui/icons.tsx'
import { closeMenu } from '../ui/menu.ts'
import { Brand } from './brand.tsx'

interface Place {
  to: string
  name: string
  /** The page has a policy of its own, which comes with a document of its own. */
  ownDocument?: boolean
}

const places: Place[] = [
  { to: '/products', name: 'Products' },
  { to: '/dashboard', name: 'Dashboard' },
  { to: '/reviews', name: 'Reviews' },
  { to: '/blogs', name: 'Blogs' },
  { to: '/contact-us', name: 'Contact Us', ownDocument: true },
]

/** The bar at the head of every page. On a phone the places are folded into a menu of the platform's own. */
export function Navbar() {
  return (
    <header className="on-ink sticky top-0 z-10 low:static border-b border-ink-line bg-ink text-white">
      <div className="page-width flex h-16 items-center gap-4">
        <button
          type="button"
          popoverTarget="places"
          aria-label="Menu"
          className="-ml-2 rounded-control p-2 hover:bg-ink-raised md:hidden"
        >
          <MenuIcon className="size-6" />
        </button>
        <Brand />
        <nav aria-label="Main" className="ml-auto max-md:hidden">
          <Places className="flex items-center gap-1 lg:gap-3" />
        </nav>
        <div className="max-md:ml-auto md:ml-2">
          <AccountMenu />
        </div>
      </div>
      <nav
        id="places"
        popover="auto"
        aria-label="Menu"
        className="menu-sheet inset-x-0 top-16 w-full border-b border-ink-line bg-ink p-3 text-white"
      >
        <Places className="flex flex-col" />
      </nav>
    </header>
  )
}

function Places({ className }: { className: string }) {
  return (
    <ul className={className}>
      {places.map(({ to, name, ownDocument = false }) => (
        <li key={to}>
          <NavLink
            to={to}
            reloadDocument={ownDocument}
            onClick={closeMenu}
            className="block border-b-2 border-transparent px-2 py-3 font-display text-lg font-semibold tracking-wide
              hover:text-signal-bright aria-[current=page]:border-signal-bright md:py-2"
          >
            {name}
          </NavLink>
        </li>
      ))}
    </ul>
  )
}
