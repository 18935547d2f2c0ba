import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { OrderDetails } from '../contract/checkout.ts'
import { renderInRouter } from '../tests/render-in-router.tsx'
import { Cancel } from './pages/order.tsx'

function renderCancel(needsReview: boolean, settings: { withdrawal: boolean }): string {
  const order = { id: 'a1', status: 'paid', total: 40, refunded: 0, lines: [{}], needsReview } as OrderDetails
  return renderInRouter(
    <QueryClientProvider client={new QueryClient()}>
      <Cancel order={order} orderKey="" onConfirm={() => {}} onChanged={async () => {}} />
    </QueryClientProvider>,
    settings,
  )
}

test('an order with special return terms has no button to cancel it, and names a way that the shop has', () => {
  expect(renderCancel(false, { withdrawal: false })).toContain('Cancel order</button>')
  const withForm = renderCancel(true, { withdrawal: true })
  expect(withForm).toContain('To cancel it, use “Withdraw from contract here”.')
  const withoutForm = renderCancel(true, { withdrawal: false })
  expect(withoutForm).toContain('To cancel it, please contact us.')
  for (const html of [withForm, withoutForm]) expect(html).not.toContain('<button')
})
