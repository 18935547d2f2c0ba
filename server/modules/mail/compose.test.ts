import { expect, test } from 'vitest'
import { brandColors } from '../../../contract/shop.ts'
import { plainSender } from '../../../tests/email-sender.ts'
import { compose, type EmailSender } from './compose.ts'
import { type EmailOrder, emailTexts } from './texts.ts'

const sender: EmailSender = {
  ...plainSender,
  seller: { name: 'Torque & Yard', address: ['14 Kickstand Lane', 'Springfield'] },
  contactEmail: 'help@shop.test',
}
const order: EmailOrder = {
  id: '26c6240123',
  placedAt: new Date('2026-11-20T21:48:00Z'),
  amountCents: 8500,
  charges: [
    { label: 'Shipping', amountCents: 600, isIncluded: false },
    { label: 'VAT', amountCents: 1357, isIncluded: true },
  ],
  lines: [
    {
      name: 'Brake pads <b>',
      picture: 'https://shop.test/pictures/brake-pads/b8893a.email.png',
      partNumber: 'BP-1',
      options: [],
      quantity: 1,
      unitPriceCents: 7900,
      totalCents: 7900,
      fit: [{ text: 'Fit when ordered: fits', tone: 'good' }, { text: 'Position: front' }],
    },
  ],
}
const { text, html } = compose(
  emailTexts.orderReceived(order, ['Robin Rider', '1 Road'], 'https://shop.test/order/1#key'),
  sender,
  { id: 'e1', to: 'rider@example.com' },
)

test('the text of an order has its facts, amounts on lines of their own, and the seller', () => {
  expect(text).toBe(`Thank you for your order. We have received your payment of $85.00.

Order: #26c624
Date: 20 November 2026

Brake pads <b>
1 × $79.00 · Part number BP-1 · Fit when ordered: fits · Position: front
$79.00

Shipping: $6.00
Includes VAT: $13.57
Total: $85.00

Delivery address:
Robin Rider
1 Road

We will email you when your order ships.

View your order:
https://shop.test/order/1#key

-- 
Torque & Yard
14 Kickstand Lane
Springfield
help@shop.test
https://shop.test/contact-us
`)
})

test('the HTML has one button, the seller, and nothing from another host', () => {
  expect(html.match(/<a style="display:inline-block[^>]*>[^<]*/g)).toEqual([
    expect.stringMatching(/href="https:\/\/shop\.test\/order\/1#key">View your order$/),
  ])
  expect(html).toContain('Torque &amp; Yard<br>14 Kickstand Lane<br>Springfield')
  expect(html).toContain('href="mailto:help@shop.test"')
  expect(html).toContain('prefers-color-scheme: dark')
  expect(html).toContain('Brake pads &lt;b&gt;')
  expect(html.replaceAll('https://shop.test/', '')).not.toMatch(/url\(|https?:/)
})

test('the HTML has the picture of each line, and the fit in the colours of the screens', () => {
  expect(html.match(/<img [^>]*>/g)).toEqual([
    expect.stringMatching(
      /^<img src="https:\/\/shop\.test\/pictures\/brake-pads\/b8893a\.email\.png" alt=""/,
    ),
  ])
  const { good, 'good-wash': wash } = brandColors
  expect(html).toMatch(
    new RegExp(`<span style="color:${good};background:${wash};[^>]*>Fit when ordered: fits<`),
  )
})
