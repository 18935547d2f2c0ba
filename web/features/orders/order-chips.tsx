import type { Order } from '../../../contract/orders.ts'
import { Chip } from '../../ui/chip.tsx'
import { CheckIcon, ClockIcon, TruckIcon } from '../../ui/icons.tsx'

const icon = 'size-3.5'

export function PaymentChip({ order }: { order: Order }) {
  if (order.processing) {
    return (
      <Chip tone="wait" icon={<ClockIcon className={icon} />}>
        Processing
      </Chip>
    )
  }
  return order.payment ? (
    <Chip tone="good" icon={<CheckIcon className={icon} />}>
      Paid
    </Chip>
  ) : (
    <Chip tone="wait" icon={<ClockIcon className={icon} />}>
      Pending
    </Chip>
  )
}

export function ShipmentChip({ order }: { order: Order }) {
  return order.shipment === '' ? (
    <Chip tone="quiet" icon={<ClockIcon className={icon} />}>
      Pending
    </Chip>
  ) : (
    <Chip tone="ink" icon={<TruckIcon className={icon} />}>
      {order.shipment}
    </Chip>
  )
}
