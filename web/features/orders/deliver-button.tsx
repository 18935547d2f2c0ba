import { orderStatus, refuseTransition } from '../../../contract/order-status.ts'
import type { Order } from '../../../contract/orders.ts'
import { readMessage } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'
import { useShipOrder } from './queries.ts'

/** Marks an order as shipped. Renders nothing if the order cannot be shipped. */
export function DeliverButton({ order }: { order: Order }) {
  const ship = useShipOrder()
  if (refuseTransition('ship', orderStatus(order)) !== null) return null
  return (
    <Button
      size="small"
      busy={ship.isPending}
      onClick={() => ship.mutate(order._id, { onError: (error) => showToast('error', readMessage(error)) })}
    >
      Delivered
    </Button>
  )
}
