import { expect, test } from 'vitest'
import { renderInRouter } from '../tests/render-in-router.tsx'
import { AfterPayment } from './features/payments/after-payment.tsx'
import { describeReceipt } from './pages/withdraw.tsx'

test('a buyer reads where the emails go', () => {
  const afterPayment = renderInRouter(<AfterPayment email="ada@example.com" pickup={false} />, { mail: 'on' })
  expect(afterPayment.replaceAll(/<[^>]*>/g, '').replaceAll('&#x27;', "'")).toContain(
    "Your receipt goes to ada@example.com. We'll email you when your order ships.",
  )
  expect(describeReceipt(false, 'ada@example.com')).toBe("We'll confirm by email to ada@example.com.")
})

test('the owner of an order reads no email at a withdrawal, because the account may have another one since', () => {
  expect(describeReceipt(true, 'ada@example.com')).toBe("We'll confirm by email.")
})
