import { type ComponentProps, useEffect } from 'react'
import { readText } from '../../local-storage.ts'
import { onDemand } from '../../on-demand.ts'
import { useLocation } from '../../router/router.tsx'
import type { UnpaidOrderList } from './unpaid-orders.tsx'

// Every page has this file. The rest is loaded for guests who have an unpaid order.

const line = onDemand(() => import('./unpaid-orders.tsx'))

function loadIfStored(): void {
  // If it fails, the next page tries it again.
  if (readText('unpaid-orders') !== null) line.load().catch(() => undefined)
}

function useUnpaidCode() {
  // After each navigation: checkout has stored an order in between.
  useLocation()
  useEffect(loadIfStored)
  useEffect(() => {
    addEventListener('storage', loadIfStored)
    return () => removeEventListener('storage', loadIfStored)
  }, [])
  return line.useCode()
}

/** The place of the line about an unpaid order, below the navigation bar. */
export function UnpaidOrderSlot() {
  const code = useUnpaidCode()
  return (
    <div id="unpaid" className="bg-wait-wash">
      {code && <code.UnpaidOrderLine />}
    </div>
  )
}

/** The unpaid orders of a guest, on the page of the cart: their items are not in the cart any more. */
export function UnpaidOrders(props: ComponentProps<typeof UnpaidOrderList>) {
  const code = useUnpaidCode()
  return code && <code.UnpaidOrderList {...props} />
}
