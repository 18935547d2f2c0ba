import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AfterPayment } from './features/payments/after-payment.tsx'
import { describeReceipt } from './pages/withdraw.tsx'
import { Router } from './router/router.tsx'

function afterPayment(email: string | undefined): string {
  const location = { pathname: '/', search: '', hash: '', state: null }
  const html = renderToStaticMarkup(
    <Router
      first={{ location, params: {}, modules: [], data: null, status: 200 }}
      settings={{ mail: 'on' } as never}
    >
      <AfterPayment email={email} pickup={false} />
    </Router>,
  )
  return html.replaceAll(/<[^>]*>/g, '')
}

test('a guest reads where the emails go', () => {
  expect(afterPayment('ada@example.com')).toContain(
    'We send your receipt to ada@example.com, and an email when your order ships.',
  )
  expect(describeReceipt(false, 'ada@example.com')).toBe('We confirm the receipt to ada@example.com.')
})

test('the owner of an order reads no email, because the account may have another one since', () => {
  expect(afterPayment(undefined)).toContain('We email your receipt, and again when your order ships.')
  expect(describeReceipt(true, 'ada@example.com')).toBe('We confirm the receipt by email.')
})
