import type { MouseEvent } from 'react'
import { Link, useLocation, useSettings } from '../../router/router.tsx'
import { Avatar } from '../../ui/picture.tsx'
import { closePopover } from '../../ui/popover.ts'
import { showToast } from '../../ui/toasts.tsx'
import { signInState, signOut, useSession } from './session.ts'

const itemClass = `block w-full rounded-control px-3 py-2.5 text-left font-display text-lg font-semibold
  tracking-wide hover:bg-shade`

/** Account menu: email and Logout for signed-in users, Login for all others. */
export function AccountMenu() {
  const session = useSession()
  const location = useLocation()
  const { hasBikes } = useSettings()
  const user = session.status === 'signed-in' ? session.user : null
  const garage = hasBikes && (
    <a href="/garage" className={itemClass} onClick={closeMenu}>
      My garage
    </a>
  )
  return (
    <>
      <button
        type="button"
        popoverTarget="account"
        aria-label="Account"
        className="block size-[min(2.75rem,13vw)] overflow-hidden rounded-full border-2 border-ink-line hover:border-signal-bright"
      >
        <Avatar photo={user?.avatar} size={44} className="size-full" />
      </button>
      <div
        id="account"
        popover="auto"
        className="menu-sheet page-edge top-18 left-auto w-72 max-w-[90vw] rounded-card border border-ink bg-surface p-2 text-ink"
      >
        {user ? (
          <>
            <p className="mb-1 border-b border-line px-3 pt-1 pb-3 text-sm break-all text-quiet">
              {user.email}
            </p>
            {garage}
            <button type="button" className={itemClass} onClick={logOut}>
              Logout
            </button>
          </>
        ) : (
          <>
            <Link href="/login" state={signInState(location)} className={itemClass} onClick={closeMenu}>
              Login
            </Link>
            {garage}
          </>
        )}
      </div>
    </>
  )
}

const serverSignOutFailed =
  "You are logged out in this browser, but we couldn't end your session on the server."

function logOut(event: MouseEvent<HTMLElement>): void {
  closeMenu(event)
  signOut().catch(() => showToast('warning', serverSignOutFailed))
}

/** Closes the popover menu of the clicked item. */
export const closeMenu = ({ currentTarget }: MouseEvent<HTMLElement>): void => closePopover(currentTarget)
