import { useEffect, useSyncExternalStore } from 'react'
import { pluralize } from '../../../contract/plurals.ts'
import { useLocation } from '../../router/router.tsx'
import { CartIcon } from '../../ui/icons.tsx'
import { countCartLines, onCartChange, readStoredCount, readStoredLines } from './stored-cart.ts'

/**
 * Link to the cart with the number of its lines, which only the browser has: pages are the same for all visitors.
 *
 * @param customerId the customer who is signed in; their cart takes over the guest's lines
 */
export function CartLink({ customerId }: { customerId: string | null }) {
  const { pathname } = useLocation()
  const count = useSyncExternalStore(onCartChange, countCartLines, () => 0)
  useEffect(() => {
    // The page of the cart merges it itself.
    if (!customerId || pathname === '/cart') return
    if (readStoredLines().length === 0 && readStoredCount() !== null) return
    const loading = import('./cart.ts')
    // If it fails, the next page or the cart tries it again.
    loading.then((cart) => cart.mergeGuestCart()).catch(() => undefined)
    return () => {
      loading.then((cart) => cart.cancelMergeIfSignedOut()).catch(() => undefined)
    }
  }, [customerId, pathname])
  const items = pluralize(count, 'item')
  return (
    <a
      href="/cart"
      aria-label={count > 0 ? `Cart, ${items}` : 'Cart'}
      aria-current={pathname === '/cart' ? 'page' : undefined}
      className="relative flex size-[min(2.75rem,13vw)] items-center justify-center rounded-control hover:bg-ink-raised
        hover:text-signal-bright"
    >
      <CartIcon className="size-6" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0 right-0 min-w-[1.43em] rounded-full bg-signal-bright px-1 text-center text-[min(0.875rem,4vw)] leading-[1.43] font-bold text-ink
            tabular-nums"
        >
          {count}
        </span>
      )}
    </a>
  )
}
