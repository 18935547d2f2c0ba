import type { Order } from '../../../contract/orders.ts'
import { readMessage } from '../../api.ts'
import { cancelTitle } from '../../texts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { showToast } from '../../ui/toast.ts'
import { orderNumber } from './order-labels.ts'
import { useCancelOrder } from './queries.ts'

/** Asks for confirmation, then cancels the order. */
export function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const cancel = useCancelOrder()
  const confirm = () =>
    cancel.mutate(order._id, {
      onSuccess: () => {
        showToast('success', 'Order Canceled Successfully')
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={cancelTitle}
      busy={cancel.isPending}
      failure={cancel.isError ? readMessage(cancel.error) : ''}
      onYes={confirm}
      onClose={onClose}
    >
      Order #{orderNumber(order._id)}: {order.quantity} × {order.productName}. The items return to stock.
    </ConfirmDialog>
  )
}
