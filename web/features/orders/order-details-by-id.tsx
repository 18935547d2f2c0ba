import { useQuery } from '@tanstack/react-query'
import { readMessage } from '../../api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { OrderDetails } from './order-details.tsx'
import { orderNumber } from './order-labels.ts'
import { orderQuery } from './queries.ts'

/** Loads an order by its id and shows its details. */
export function OrderDetailsById({ id, onClose }: { id: string; onClose: () => void }) {
  const order = useQuery(orderQuery(id))
  if (order.data) return <OrderDetails order={order.data} onClose={onClose} />
  return (
    <Dialog title={`Order #${orderNumber(id)}`} onClose={onClose}>
      {order.isError ? (
        <ErrorState
          title="The order could not be loaded"
          message={readMessage(order.error)}
          onRetry={() => void order.refetch()}
        />
      ) : (
        <Spinner className="mx-auto my-8 size-12 text-signal" />
      )}
    </Dialog>
  )
}
