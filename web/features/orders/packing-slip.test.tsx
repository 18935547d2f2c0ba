import { expect, test } from 'vitest'
import type { Order } from '../../../contract/orders.ts'
import { renderInRouter } from '../../../tests/render-in-router.tsx'
import { PackingSlip } from './packing-slip.tsx'

const order = { _id: 'a1b2c3d4e5f60718293a4b5c', status: 'paid', payment: true } as Order

const render = (isWithdrawn: boolean): string =>
  renderInRouter(<PackingSlip order={order} lines={[]} isWithdrawn={isWithdrawn} />, {
    shop: { name: 'Torque Yard' },
  })

test('a slip warns of an open withdrawal', () => {
  const warning = 'The customer withdraws from this order. Ask an admin before you ship it.'
  expect(render(true)).toContain(warning)
  expect(render(false)).not.toContain(warning)
})
