import { pictureLinks } from '../../contract/pictures.ts'
import { CartLink } from '../features/cart/cart-link.tsx'
import { HeaderSearch, HeaderSearchButton } from '../features/catalog/header-search.tsx'
import { BikeBar } from '../features/garage/bar.tsx'
import { AccountMenu, closeMenu } from '../features/identity/account-menu.tsx'
import { useSession } from '../features/identity/session.ts'
import { UnpaidOrderSlot } from '../features/orders/unpaid-slot.tsx'
import { useLocation, useSettings } from '../router/router.tsx'
import { MenuIcon } from '../ui/icons.tsx'

const navItems = [
  { href: '/products', name: 'Products' },
  { href: '/dashboard', name: 'Dashboard' },
  { href: '/reviews', name: 'Reviews' },
  { href: '/blogs', name: 'Blogs' },
  { href: '/contact-us', name: 'Contact Us' },
]

/** Top bar of every page. On a phone the links are in a popover menu. */
export function Navbar() {
  const session = useSession()
  const customerId = session.status === 'signed-in' ? session.user._id : null
  return (
    <>
      {/* On a phone only its first row is sticky: the others scroll away with the page. */}
      <header
        className="on-ink text-white max-md:contents max-md:*:bg-ink md:sticky md:top-0 md:z-10 md:border-b md:border-ink-line
          md:bg-ink low:static"
      >
        <div className="page-width sticky top-0 z-10 flex h-16 items-center gap-2 low:static xs:gap-4">
          <button
            type="button"
            popoverTarget="places"
            aria-label="Menu"
            className="-ml-2.5 rounded-control p-2.5 hover:bg-ink-raised lg:hidden"
          >
            <MenuIcon className="size-6" />
          </button>
          <Brand />
          <HeaderSearch />
          <nav aria-label="Main" className="ml-auto max-lg:hidden">
            <NavItems className="flex items-center xl:gap-3" />
          </nav>
          <div className="flex w-[min(8.25rem,39vw)] items-center max-lg:ml-auto xs:w-39 xs:gap-3 md:w-25 lg:ml-2">
            <HeaderSearchButton />
            <CartLink customerId={customerId} />
            <AccountMenu />
          </div>
        </div>
        <BikeBar customerId={customerId} />
        <nav
          id="places"
          popover="auto"
          aria-label="Menu"
          className="menu-sheet inset-x-0 top-16 w-full border-b border-ink-line bg-ink p-3 text-white"
        >
          <NavItems className="flex flex-col" />
        </nav>
      </header>
      <UnpaidOrderSlot />
    </>
  )
}

function NavItems({ className }: { className: string }) {
  const { pathname } = useLocation()
  return (
    <ul className={className}>
      {navItems.map(({ href, name }) => (
        <li key={href}>
          <a
            href={href}
            aria-current={`${pathname}/`.startsWith(`${href}/`) ? 'page' : undefined}
            onClick={closeMenu}
            className="block border-b-2 border-transparent px-2 py-3 font-display text-lg font-semibold tracking-wide whitespace-nowrap
              hover:text-signal-bright aria-[current=page]:border-signal-bright lg:py-2"
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** In characters. A longer name has a smaller font, and on a phone two lines. */
const longName = 16

/** The logo of the shop, or the drawn one with its name, as a link to the home page. */
export function Brand() {
  const { shop, picturesUrl } = useSettings()
  if (shop.logo) {
    const { src, sources } = pictureLinks(shop.logo, picturesUrl)
    return (
      <a href="/">
        <picture>
          {sources.map((source) => (
            <source key={source.type} {...source} sizes="10rem" />
          ))}
          {/* In a fixed box, so that nothing moves when it is loaded. */}
          <img
            src={src}
            alt={shop.name}
            width="160"
            height="36"
            className="h-8 w-[min(7.5rem,35vw)] object-contain object-left xs:h-9 xs:w-40"
          />
        </picture>
      </a>
    )
  }
  return (
    <a href="/" className="flex min-h-11 items-center gap-2 text-white xs:gap-2.5 max-md:min-w-0">
      <svg viewBox="0 0 64 64" className="size-[min(2.25rem,12vw)] shrink-0" aria-hidden="true">
        <path
          d="M32 3 57.1 17.5v29L32 61 6.9 46.5v-29Z"
          className="fill-signal-bright stroke-signal-bright"
          strokeWidth="4"
          strokeLinejoin="round"
        />
        <circle cx="32" cy="32" r="20" className="fill-ink" />
        {shop.isUnnamed && <path d="M20 22h24v7.5h-8.2V45h-7.6V29.5H20Z" className="fill-paper" />}
      </svg>
      <span
        className={`line-clamp-2 font-display leading-tight font-bold uppercase wrap-anywhere md:whitespace-nowrap max-[22.4rem]:sr-only
          ${shop.name.length > longName ? 'text-sm' : 'text-base xs:text-xl xs:tracking-wide'}`}
      >
        {shop.name}
      </span>
    </a>
  )
}
