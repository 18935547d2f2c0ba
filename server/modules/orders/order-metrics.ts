import { createCounter } from '../../platform/telemetry/metrics.ts'

const orders = createCounter({
  name: 'shop_orders_total',
  help: 'Changes of orders, counted after their commit.',
  labelNames: ['event'],
})

export const countOrder = (
  event: 'placed' | 'paid' | 'shipped' | 'cancelled' | 'expired' | 'refunded',
): void => orders.inc({ event })
