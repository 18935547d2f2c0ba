import { expect, test } from 'vitest'
import { renderInRouter } from '../tests/render-in-router.tsx'
import { AfterPayment } from './features/payments/after-payment.tsx'
import { describeReceipt } from './pages/withdraw.tsx'

const afterPayment = (email: string | undefined): string =>
  renderInRouter(<AfterPayment email={email} pickup={false} />, { mail: 'on' }).replaceAll(/<[^>]*>/g, '')

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
