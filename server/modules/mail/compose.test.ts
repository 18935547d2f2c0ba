import { describe, expect, test } from 'vitest'
import { defaultEmailTexts, emailTextKinds } from '../../../contract/email-texts.ts'
import { brandColors } from '../../../contract/shop.ts'
import { plainSender } from '../../../tests/email-sender.ts'
import { payloads } from '../../../tests/hostile-markdown.ts'
import { compose, type EmailSender } from './compose.ts'
import { createSample } from './samples.ts'
import { type EmailOrder, emailContents } from './texts.ts'

const sender: EmailSender = {
  ...plainSender,
  seller: { name: 'Torque & Yard', address: ['14 Kickstand Lane', 'Springfield'] },
  contactEmail: 'help@shop.test',
}
const order: EmailOrder = {
  id: '26c6240123',
  url: 'https://shop.test/order/1#key',
  placedAt: new Date('2026-11-20T21:48:00Z'),
  amountCents: 8500,
  charges: [
    { kind: 'shipping', label: 'Shipping', amountCents: 600, isIncluded: false },
    { kind: 'tax', label: 'VAT', amountCents: 1357, isIncluded: true },
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
  emailContents.orderReceived(order, { pickup: null, recipient: ['Robin Rider', '1 Road'] }),
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

Subtotal: $79.00
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
  expect(html.match(/<a style="display:block[^>]*>[^<]*/g)).toEqual([
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

describe.each(emailTextKinds)('the email %s', (kind) => {
  const named: EmailSender = {
    ...plainSender,
    shopName: 'Held Out Motos',
    seller: { name: 'Held Out Motos LLC', address: ['1 Kickstand Lane'] },
  }
  const render = (texts: EmailSender['texts'] = {}) =>
    compose(createSample(kind, 'https://shop.test'), { ...named, texts }, { id: 'e1', to: 'r@shop.test' })

  test('has the name of the shop, and a value for each placeholder', () => {
    const { placeholders } = defaultEmailTexts[kind]
    const marked = placeholders.map((name) => `<${name}={${name}}>`).join(' ')
    const all = render({ [kind]: { subject: marked, before: marked, after: marked } })
    for (const name of placeholders) expect(all.text).toMatch(new RegExp(`<${name}=[^>]+>`))
    for (const { subject, text: plain, html: markup } of [render(), all]) {
      for (const part of [subject, plain, markup]) expect(part).not.toMatch(/Torque Yard|\{\w+\}/)
    }
  })

  test('has the date of its order', () => {
    const isDated = /^(order|shipment|payment-link|tracking|items|return)/.test(kind)
    expect(render().text.includes('\nDate: 20 November 2026\n')).toBe(isDated)
  })

  test('has its width on a table and paddings on cells, because Outlook for Windows supports no others', () => {
    const { html: markup } = render()
    expect(markup.match(/<table [^>]*width="600"/g)).toHaveLength(1)
    const button = /<td [^>]*mso-padding-alt:([\w ]+)[^>]*><a [^>]*;padding:\1;[^>]*>/g
    expect(markup.replaceAll(button, '')).not.toMatch(/<(?:div|p|a) [^>]*padding:/)
  })

  test('has no more elements and attributes with any text than with the default ones', () => {
    const listTags = (markup: string) => markup.match(/<[^>]*>/g) ?? []
    const usual = new Set([...listTags(render().html), '<p style="margin:0 0 16px">', '</p>', '<br>'])
    for (const payload of payloads) {
      const { html: markup, subject } = render({
        [kind]: { subject: payload, before: payload, after: `${payload}\n\n${payload}` },
      })
      expect(listTags(markup).filter((tag) => !usual.has(tag))).toEqual([])
      expect(subject).not.toMatch(/\p{Cc}/u)
    }
  })
})

describe('a text of an email', () => {
  const render = (subject: string, before: string, values: Record<string, string>) =>
    compose(
      { kind: 'order-received', values, body: [{ slot: 'before' }, { slot: 'after' }] },
      { ...plainSender, texts: { 'order-received': { subject, before, after: '' } } },
      { id: 'e1', to: 'r@shop.test' },
    )

  test('leaves out what has no value, and a blank one has no paragraph', () => {
    const { subject, text: plain } = render('Order {orderNumber}{later}', 'A {total}B', { total: '' })
    expect(subject).toBe('Order')
    expect(plain).toBe('A B\n\n-- \nTorque Yard\nhttps://shop.test/contact-us\n')
  })

  test('has values as they are, and the subject is one line', () => {
    const { subject, html: markup } = render('{orderNumber}', '{orderNumber} {total}', {
      orderNumber: 'A\r\nBcc: all@shop.test',
      total: '{shopName} <b>',
    })
    expect(subject).toBe('A Bcc: all@shop.test')
    expect(markup).toContain('{shopName} &lt;b&gt;')
  })

  test('is the default one if the subject is blank', () => {
    expect(render(' {later} ', '', { orderNumber: '26c624' }).subject).toBe('Order #26c624 received')
  })
})

test('free shipping is free, and an order without charges has no subtotal', () => {
  const write = (charges: EmailOrder['charges']) =>
    compose(emailContents.orderReceived({ ...order, charges }, { pickup: null, recipient: [] }), sender, {
      id: 'e1',
      to: 'rider@example.com',
    }).text
  const free = { kind: 'shipping', label: 'Shipping', amountCents: 0, isIncluded: false } as const
  expect(write([free])).toContain('Subtotal: $79.00\nShipping: Free\nTotal')
  expect(write([])).not.toContain('Subtotal')
})
