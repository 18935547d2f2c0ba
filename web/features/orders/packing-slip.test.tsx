import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Order } from '../../../contract/orders.ts'
import { Router } from '../../router/router.tsx'
import { PackingSlip } from './packing-slip.tsx'

const order = { _id: 'a1b2c3d4e5f60718293a4b5c', status: 'paid', payment: true } as Order

function render(isWithdrawn: boolean): string {
  const location = { pathname: '/', search: '', hash: '', state: null }
  return renderToStaticMarkup(
    <Router
      first={{ location, params: {}, modules: [], data: null, status: 200 }}
      settings={{ shop: { name: 'Torque Yard' } } as never}
    >
      <PackingSlip order={order} lines={[]} isWithdrawn={isWithdrawn} />
    </Router>,
  )
}

test('a slip warns of an open withdrawal', () => {
  const warning = 'The customer withdraws from this order. Ask an admin before you ship it.'
  expect(render(true)).toContain(warning)
  expect(render(false)).not.toContain(warning)
})
