import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { formatUtcDate } from '../../../contract/dates.ts'
import { payingAs } from '../../../tests/checkout.ts'
import { untilWaiting } from '../../../tests/database.ts'
import {
  aCheckout,
  aCustomer,
  aGuestOrder,
  anAdmin,
  anOrder,
  aPhoneOrder,
  aProduct,
  payAtSandbox,
  payOrder,
  type TestCustomer,
  untilDecided,
} from '../../../tests/factories.ts'
import { type MailboxEmail, sentEmails } from '../../../tests/mailbox.ts'
import { openTestShop, useTestShop } from '../../../tests/shop.ts'
import { changeEmailOfIdentity } from '../customers/service.ts'
import { expireUnpaidOrders } from '../payments/cancellation.ts'

let rider: TestCustomer
let admin: TestCustomer
let log = ''

const shop = useTestShop(
  {
    mail: 'mailbox',
    logLevel: 'warn',
    unpaidOrdersPerCustomer: 20,
    guestOrdersPerNetwork: 20,
    unpaidGuestOrderMinutes: 90,
  },
  { write: (line: string) => void (log += line) },
)
beforeEach(async () => {
  log = ''
  rider = await aCustomer(shop)
  admin = await anAdmin(shop)
})

const { cancel, confirm, openedFor } = payingAs(() => ({ shop, rider }))

/** Pays an order of 40. The webhook and two tabs report it. */
async function pay(orderId: string): Promise<void> {
  const { intentId } = await payAtSandbox(shop, await openedFor(orderId))
  await Promise.all([confirm(orderId, intentId), confirm(orderId, intentId)])
}

/** Makes unpaid orders older than the time to pay, and runs the job. */
async function expire(): Promise<void> {
  await shop.db
    .updateTable('orders')
    .set({ placed_at: new Date('2020-01-01') })
    .execute()
  await expireUnpaidOrders(shop.payments)
}

const ship = (id: string) =>
  shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } })

/** Emails that are queued one after another may be sent in another order: await this between them. */
const emails = (to = rider.email): Promise<MailboxEmail[]> => sentEmails(shop.db, to)
const subjects = async () => (await emails()).map(({ subject }) => subject)
const toTitle = (id: string) => `Order #${id.slice(0, 6)}`

describe('a customer gets an email', () => {
  test('when the order is paid, and another one when it is shipped, each once', async () => {
    const id = await anOrder(shop, rider)
    expect(await emails()).toEqual([])
    await pay(id)
    expect(await subjects()).toEqual([`${toTitle(id)} received`])
    await Promise.all([ship(id), ship(id), ship(id)])
    await ship(id)
    expect(await subjects()).toEqual([`${toTitle(id)} received`, `${toTitle(id)} has shipped`])
    const [received, shipped] = await emails()
    expect(received?.body).toContain('We have received your payment of $40.00.')
    expect(received?.body).toContain('Sintered brake pads\n1 × $40.00\n$40.00\n\nTotal: $40.00')
    expect(received?.body).toContain('Delivery address:\nRobin Rider\n1 Road')
    expect(received?.body).toContain(`View your order:\n${shop.config.origin}/dashboard/my-orders`)
    expect(shipped?.body).toContain('on their way to you:\n\n1 × Sintered brake pads\n\n')
    expect(shipped?.body).toContain('Delivery address:\nRobin Rider\n1 Road')
    expect(shipped?.body).not.toContain('Total')
  })

  test('with all lines of the order, their sizes and colours, as text and as HTML', async () => {
    const id = await anOrder(shop, rider)
    const second = { line_number: 2, product_name: 'Jacket', quantity: 2, size: 'L', colour: 'Black' }
    await sql`insert into order_lines
      select (jsonb_populate_record(order_lines, ${JSON.stringify(second)})).* from order_lines`.execute(
      shop.db,
    )
    await pay(id)
    const [email] = await emails()
    expect(email?.body).toContain('Sintered brake pads\n1 × $40.00\n$40.00\n\nJacket, L, Black\n2 × $40.00')
    expect(email?.html).toMatch(/Jacket, L, Black<br>.*2 × \$40\.00.*<td[^>]*>\$80\.00<\/td>/)
  })

  test('with a picture of each item that mail programs can show, and none from another host', async () => {
    const id = await anOrder(shop, rider)
    const uploaded = `/pictures/uploaded/${'a'.repeat(32)}-640.jpeg`
    const images = ['https://elsewhere.test/jacket.png', uploaded, '//elsewhere.test/a.png', '']
    for (const [index, product_image] of images.entries()) {
      await sql`insert into order_lines
        select (jsonb_populate_record(order_lines, ${JSON.stringify({ line_number: index + 2, product_image })})).*
        from order_lines where order_id = ${id} and line_number = 1`.execute(shop.db)
    }
    await pay(id)
    const [email] = await emails()
    const sources = [...(email?.html.matchAll(/<img [^>]*src="([^"]*)"/g) ?? [])].map(([, source]) => source)
    const { origin } = shop.config
    expect(sources).toEqual([`${origin}/pictures/brake-pads.email.png`, `${origin}${uploaded}`])
    const drawing = await fetch(sources[0] ?? '')
    expect(drawing.headers.get('content-type')).toBe('image/png')
    expect(drawing.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })

  test('when the order is cancelled, with who cancelled it', async () => {
    const own = await anOrder(shop, rider)
    await cancel(own)
    await cancel(own)
    expect(await subjects()).toEqual([`${toTitle(own)} was cancelled`])
    const other = await anOrder(shop, rider)
    await shop.call('deleteOrder', { as: admin, query: { id: other } })
    expect(await subjects()).toEqual([`${toTitle(own)} was cancelled`, `${toTitle(other)} was cancelled`])
    const [byBuyer, byShop] = await emails()
    expect(byBuyer?.body).toContain('You cancelled this order.')
    expect(byShop?.body).toContain('The shop cancelled this order.')
    expect(byShop?.body).toContain('You have not been charged.')
  })

  test('with a link to the page of a cancelled or expired order, which puts its items back into the cart', async () => {
    const cancelled = await anOrder(shop, rider)
    await cancel(cancelled)
    await emails()
    const expired = await anOrder(shop, rider)
    await expire()
    const bodies = (await emails()).map(({ body }) => body)
    expect(bodies).toEqual(
      [cancelled, expired].map((id) =>
        expect.stringContaining(`View your order:\n${shop.config.origin}/order/${id}\n`),
      ),
    )
  })

  test('with a link if a guest has ordered: a cancelled or expired order is shown by its key', async () => {
    const email = 'guest@example.com'
    const { id, headers, key } = await aGuestOrder(shop, { email })
    await sentEmails(shop.db, email)
    await shop.call('cancelOrder', { params: { id }, headers })
    const other = await aGuestOrder(shop, { email })
    await sentEmails(shop.db, email)
    await expire()
    const link = (id: string, key: string) => `View your order:\n${shop.config.origin}/order/${id}#${key}`
    const bodies = (await emails(email)).map(({ body }) => body)
    expect(bodies.filter((body) => !body.includes('View and pay'))).toEqual([
      expect.stringContaining(link(id, key)),
      expect.stringContaining(link(other.id, other.key)),
    ])
    expect(bodies.at(-1)).toContain('We did not receive your payment within 90 minutes, so')
  })

  test('at once if a guest has ordered, with the link to pay; a repeated request sends no other', async () => {
    const email = 'guest@example.com'
    const body = aCheckout([{ variantId: await aProduct(shop), quantity: 1, unitPrice: 40 }], {
      email,
      asGuest: true,
    })
    const request = { headers: { 'idempotency-key': randomUUID() }, body }
    const { id, key } = (await shop.call('checkOut', request)).body
    const link = `View and pay your order:\n${shop.config.origin}/order/${id}#${key}`
    expect(await emails(email)).toMatchObject([
      { subject: `${toTitle(id)} awaits payment`, body: expect.stringContaining(link) },
    ])
    const [sent] = await emails(email)
    expect(sent?.body).toContain('Please pay within 90 minutes of ordering.')
    expect(sent?.body).toContain('Total: $40.00')
    // A stranger must not be able to send texts through the shop.
    expect(sent?.body).not.toMatch(/Robin|Kickstand/)
    await shop.call('checkOut', request)
    expect(await emails(email)).toHaveLength(1)
  })

  test('only about the payment if a guest has paid before the first email is sent', async () => {
    await shop.database.pool.query(`create function hold() returns trigger language plpgsql as
      $$ begin new.next_attempt_at := now() + interval '1 hour'; return new; end $$;
      create trigger hold before insert on mail_outbox for each row execute function hold()`)
    const { id, email, headers } = await aGuestOrder(shop)
    await shop.database.pool.query('drop trigger hold on mail_outbox; drop function hold')
    await payOrder(shop, { headers }, id)
    await shop.db.updateTable('mail_outbox').set({ next_attempt_at: new Date() }).execute()
    // Its email wakes the sender.
    await aGuestOrder(shop)
    expect((await emails(email)).map(({ subject }) => subject)).toEqual([`${toTitle(id)} received`])
  })

  test('when the order is not paid in time', async () => {
    const id = await anOrder(shop, rider)
    await expire()
    expect(await emails()).toMatchObject([
      {
        subject: `${toTitle(id)} was cancelled: not paid in time`,
        body: expect.stringContaining('within 72 hours'),
      },
    ])
  })
})

describe('a customer gets an email about a refund', () => {
  test('and one about the payment that promises nothing if the order is cancelled before it is sent', async () => {
    const id = await anOrder(shop, rider)
    await holdEmails()
    await payOrder(shop, { as: rider }, id)
    await shop.call('cancelOrder', { as: rider, params: { id } })
    await releaseEmails()
    await sendHeldEmails()
    const number = id.slice(0, 6)
    const emails = await sentEmails(shop.db, rider.email)
    const received = emails.find(({ subject }) => subject === `Order #${number} received`)
    expect(received?.body).toContain('We have received your payment')
    expect(received?.body).not.toMatch(/when your order|Delivery address/)
    expect(emails.map(({ subject }) => subject)).toContain(`Refund for order #${number}`)
  })

  test('of some items, with these only, even if the rest is cancelled before it is sent', async () => {
    const id = await anOrder(shop, rider, { quantity: 2 })
    await payOrder(shop, { as: rider }, id)
    await emails()
    await holdEmails()
    const line = { line: 1, pieces: 1, amount: 40 }
    const body = { kind: 'cancellation' as const, lines: [line], reason: 'Not in stock' }
    const headers = { 'idempotency-key': randomUUID() }
    await shop.call('refundOrder', { as: admin, params: { id }, headers, body })
    await shop.call('cancelOrder', { as: rider, params: { id } })
    await releaseEmails()
    await sendHeldEmails()
    const bodies = (await emails()).map((email) => email.body).filter((text) => text.includes('We refund'))
    expect(bodies).toHaveLength(2)
    const part = bodies.find((body) => body.includes('Not in stock'))
    expect(part).toContain('1 × Sintered brake pads: $40.00')
    expect(part).not.toContain('This order was cancelled')
    const rest = bodies.find((body) => !body.includes('Not in stock'))
    expect(rest).toMatch(/We refund \$40\.00.*This order was cancelled.*1 × Sintered brake pads: \$40\.00/s)
    expect(rest).not.toContain('Total')
  })

  test('of the whole order, with all of it', async () => {
    const id = await anOrder(shop, rider, { quantity: 2 })
    await payOrder(shop, { as: rider }, id)
    await emails()
    await shop.call('cancelOrder', { as: rider, params: { id } })
    expect((await emails()).at(-1)?.body).toMatch(
      /We refund \$80\.00.*This order was cancelled.*2 × \$40\.00\n\$80\.00\n\nTotal: \$80\.00/s,
    )
  })
})

describe('the emails about an order of an account', () => {
  const newEmail = () => `new-${rider.email}`
  const titles = async (to: string) => (await emails(to)).map(({ subject }) => subject).toSorted()
  async function shipAndRefund(id: string): Promise<void> {
    await ship(id)
    await shop.call('refundOrder', {
      as: admin,
      params: { id },
      headers: { 'idempotency-key': randomUUID() },
      body: { kind: 'goodwill', lines: [{ line: 1, amount: 5 }], reason: 'A scratch' },
    })
  }

  test('go to its new email as soon as it is confirmed', async () => {
    const id = await anOrder(shop, rider)
    await pay(id)
    const unpaid = await anOrder(shop, rider)
    expect(await subjects()).toEqual([`${toTitle(id)} received`])
    const identity = await shop.db
      .selectFrom('customer_identities')
      .select(['issuer', 'subject'])
      .where('customer_id', '=', rider.id)
      .executeTakeFirstOrThrow()
    await changeEmailOfIdentity(shop.db, identity, newEmail(), async () => {})
    await shipAndRefund(id)
    await shop.call('cancelOrder', { as: admin, params: { id: unpaid } })
    const expected = [
      `${toTitle(id)} has shipped`,
      `${toTitle(unpaid)} was cancelled`,
      `Refund for o${toTitle(id).slice(1)}`,
    ]
    expect(await titles(newEmail())).toEqual(expected.toSorted())
    expect(await subjects()).toHaveLength(1)
  })

  test('go to the email of the order if the new one is not verified', async () => {
    const id = await anOrder(shop, rider)
    await pay(id)
    await shop.db.updateTable('customers').set({ email: newEmail() }).where('id', '=', rider.id).execute()
    await shipAndRefund(id)
    expect(await titles(rider.email)).toHaveLength(3)
    expect(await titles(newEmail())).toEqual([])
  })
})

describe('a change of an order fails as a whole if its email cannot be queued, and can be repeated:', () => {
  type Change = () => Promise<{ status: number }>
  test.each<[string, string, [from: string, to: string], string[], (id: string) => Promise<Change>]>([
    [
      'payment',
      'order-received',
      ['unpaid', 'paid'],
      ['received'],
      async (id) => {
        const { intentId } = await payAtSandbox(shop, await openedFor(id))
        return () => confirm(id, intentId)
      },
    ],
    [
      'shipment',
      'shipment-sent',
      ['paid', 'shipped'],
      ['received', 'has shipped'],
      async (id) => {
        await pay(id)
        await emails()
        return () => ship(id)
      },
    ],
    [
      'cancellation',
      'order-cancelled',
      ['unpaid', 'cancelled'],
      ['was cancelled'],
      async (id) => () => cancel(id),
    ],
  ])('%s', async (_change, kind, [from, to], expected, prepare) => {
    const { pool } = shop.database
    const id = await anOrder(shop, rider)
    const orders = shop.db.selectFrom('orders').select('status')
    await pool.query(`alter table mail_outbox add constraint broken check (kind <> '${kind}') not valid`)
    onTestFinished(
      async () => void (await pool.query('alter table mail_outbox drop constraint if exists broken')),
    )
    const change = await prepare(id)
    const failed = await change()
    const unchanged = await orders.execute()
    await pool.query('alter table mail_outbox drop constraint broken')
    expect(failed).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
    expect(unchanged).toEqual([{ status: from }])
    expect((await change()).status).toBe(200)
    expect(await orders.execute()).toEqual([{ status: to }])
    expect(await subjects()).toEqual(expected.map((text) => `${toTitle(id)} ${text}`))
  })
})

describe('text of a buyer', () => {
  const order = async (customerName: string, customerAddress: string) => {
    const productId = await aProduct(shop, { price: 40, name: 'Pads <b>1</b>' })
    const body = { productId, quantity: 1, amount: 40, customerName, customerAddress }
    return (await shop.call('confirmPurchase', { as: rider, body })).body.insertedId
  }

  test('is escaped in emails about a paid order', async () => {
    const id = await order('<i>Robin</i>', '1 "Road" & <script>alert(1)</script>')
    await pay(id)
    await ship(id)
    const sent = await emails()
    expect(sent).toHaveLength(2)
    for (const email of sent) {
      expect(email.body).toContain('<i>Robin</i>\n1 "Road" & <script>')
      expect(email.html).toContain('&lt;i&gt;Robin&lt;/i&gt;<br>1 &quot;Road&quot; &amp; &lt;script&gt;')
      expect(email.html).toContain('Pads &lt;b&gt;1&lt;/b&gt;')
      expect(email.html).not.toMatch(/<script|<i>|<b>/)
    }
  })

  test('is left out if it contains a link', async () => {
    const id = await order('Win at WWW.evil.test', 'https://evil.test/prize')
    await pay(id)
    await emails()
    await ship(id)
    const texts = (await emails()).map(({ body, html }) => body + html)
    expect(texts).toHaveLength(2)
    expect(texts.filter((text) => /evil|Delivery address/i.test(text))).toEqual([])
    expect(texts[1]).toContain('These items are on their way to you:')
  })

  test('is not in emails about an unpaid order', async () => {
    await cancel(await order('Robin Hood', '1 Forest'))
    await order('Robin Hood', '1 Forest')
    await expire()
    const texts = (await emails()).map(({ body, html }) => body + html)
    expect(texts).toHaveLength(2)
    expect(texts.filter((text) => /Robin|Forest/.test(text))).toEqual([])
  })
})

describe('a caller gets an email', () => {
  /** The last day to pay, such as `30 November (UTC)`. */
  const lastDay = (payBy: string) => formatUtcDate(payBy).replace(/ \d{4}$/, ' (UTC)')

  test('with the link that pays an order by phone, whether there is an account or not', async () => {
    for (const email of ['caller@example.com', rider.email]) {
      const { id, url, payBy, headers } = await aPhoneOrder(shop, admin, { email })
      const [sent, ...others] = await emails(email)
      expect(others).toEqual([])
      expect(sent?.subject).toBe(`${toTitle(id)}: please pay by ${lastDay(payBy)}`)
      expect(sent?.body).toContain(`We have reserved your items until ${formatUtcDate(payBy)}, 23:59 UTC.`)
      expect(sent?.body).toContain('Sintered brake pads\n1 × $40.00\n$40.00\n\nTotal: $40.00')
      expect(sent?.body).toContain(`View and pay your order:\n${url}`)
      expect(sent?.body).not.toContain('Robin')
      await payOrder(shop, { headers }, id)
      expect(await emails(email)).toMatchObject([
        {},
        { subject: `${toTitle(id)} received`, body: expect.stringContaining(`View your order:\n${url}`) },
      ])
    }
  })

  test('again on request, with the new last day, even if the first one has failed', async () => {
    const email = 'caller@example.com'
    const { id } = await aPhoneOrder(shop, admin, { email })
    await emails(email)
    const failed = { id: 'failed', kind: 'payment-link', email, subject: id } as const
    await shop.db
      .insertInto('mail_outbox')
      .values({ ...failed, expires_at: new Date(), failed_at: new Date() })
      .execute()
    const { body } = await shop.call('sendPaymentLink', {
      as: admin,
      params: { id },
      body: { payWithinDays: 14 },
    })
    const subject = `${toTitle(id)}: please pay by`
    expect((await emails(email)).map((sent) => sent.subject)).toEqual([
      expect.stringMatching(subject),
      `${subject} ${lastDay(body.payBy)}`,
    ])
  })

  test('that expires with the last day to pay, and is not sent once the order is paid or cancelled', async () => {
    const email = 'caller@example.com'
    await holdEmails()
    const { id, payBy } = await aPhoneOrder(shop, admin, { email, payWithinDays: 3 })
    await releaseEmails()
    const rows = await shop.db.selectFrom('mail_outbox').select(['kind', 'subject', 'expires_at']).execute()
    expect(rows).toMatchObject([{ kind: 'payment-link', subject: id }])
    const beforeEnd = Date.parse(payBy) - (rows[0]?.expires_at.getTime() ?? 0)
    expect(beforeEnd).toBeGreaterThanOrEqual(0)
    expect(beforeEnd).toBeLessThan(60_000)
    await shop.call('cancelOrder', { as: admin, params: { id } })
    await sendHeldEmails()
    expect((await emails(email)).map(({ subject }) => subject)).toEqual([`${toTitle(id)} was cancelled`])
  })

  test('that names the days when the order expires', async () => {
    const email = 'caller@example.com'
    const { id } = await aPhoneOrder(shop, admin, { email })
    await emails(email)
    await shop.db
      .updateTable('orders')
      .set({ placed_at: new Date('2025-12-26T10:00:00Z'), pay_by: new Date('2026-01-02T23:59:59Z') })
      .execute()
    await expireUnpaidOrders(shop.payments)
    expect((await emails(email)).at(-1)).toMatchObject({
      subject: `${toTitle(id)} was cancelled: not paid in time`,
      body: expect.stringContaining('We did not receive your payment within 7 days, so'),
    })
  })
})

describe('the limit of emails about unpaid orders', () => {
  test('drops and logs the eleventh in a day to an unverified email, even for concurrent cancellations', async () => {
    rider = await aCustomer(shop, { emailVerified: false })
    const productId = await aProduct(shop, { price: 40, quantity: 100 })
    const orders: string[] = []
    for (let count = 0; count < 12; count++) orders.push(await anOrder(shop, rider, { productId }))
    await Promise.all(orders.map((id) => untilDecided(() => cancel(id))))
    const dropped = log.split('\n').filter((line) => line.includes('dropped an email about an unpaid order'))
    expect(await emails()).toHaveLength(10)
    expect(dropped).toHaveLength(2)
    expect(log).not.toContain(rider.email)

    const id = await anOrder(shop, rider, { productId })
    await pay(id)
    expect((await subjects()).at(-1)).toBe(`${toTitle(id)} received`)
  })

  test('drops the 61st in a day about orders of one network, to any email; another network has its own limit', async () => {
    const { id } = await aGuestOrder(shop)
    const notify = (customer_email: string, counted_ip = '203.0.113.7') =>
      shop.db.transaction().execute(async (tx) => {
        await tx.updateTable('orders').set({ customer_email, counted_ip }).where('id', '=', id).execute()
        await shop.payments.orderEmails?.enqueue(tx, 'order-cancelled', id)
      })
    for (let count = 0; count < 60; count++) await notify(`stranger-${count}@example.com`)
    expect(log).not.toContain('dropped an email')
    await notify('last@example.com')
    expect(log).toContain('dropped an email about an unpaid order')
    expect(await emails('last@example.com')).toEqual([])
    await notify('last@example.com', '203.0.113.8')
    expect(await emails('last@example.com')).toHaveLength(1)
  })

  test('does not count emails to a verified email', async () => {
    const productId = await aProduct(shop, { price: 40, quantity: 100 })
    for (let count = 0; count < 12; count++) await cancel(await anOrder(shop, rider, { productId }))
    expect(await emails()).toHaveLength(12)
    expect(log).not.toContain('dropped an email')
  })
})

test('a cancelled order locks the counter of its emails before its code, as an order does at its commit', async () => {
  const coupon = randomUUID()
  const tenPercent = { code: 'TORQUE10', kind: 'percent', rate: 10, oncePerBuyer: false } as const
  await shop.call('saveCoupon', { as: admin, params: { id: coupon }, body: tenPercent })
  const variantId = await aProduct(shop, { quantity: 5 })
  const order = (email: string) =>
    shop.call('checkOut', {
      headers: { 'idempotency-key': randomUUID() },
      body: {
        ...aCheckout([{ variantId, quantity: 1, unitPrice: 40 }], { email, asGuest: true }),
        coupon: 'TORQUE10',
        total: 36,
      },
    })
  const first = (await order('first@example.com')).body
  const waiting = await shop.db.transaction().execute(async (tx) => {
    // Until the end of this transaction no order with the code commits.
    await sql`select pg_advisory_xact_lock(7461026, hashtext(${coupon}))`.execute(tx)
    const placing = order('second@example.com')
    await untilWaiting(shop, 1)
    // It waits for the counter of the network, which the new order holds.
    const cancelling = shop.call('cancelOrder', {
      params: { id: first.id },
      headers: { 'order-key': first.key ?? '' },
    })
    await untilWaiting(shop, 2)
    await sql`select from coupons where id = ${coupon} for no key update nowait`.execute(tx)
    return { placing, cancelling }
  })
  expect((await waiting.placing).status).toBe(200)
  expect((await waiting.cancelling).status).toBe(200)
  expect(await shop.db.selectFrom('coupons').select('used').execute()).toEqual([{ used: 1 }])
})

test('a shop that sends no email queues none', async () => {
  const silent = await openTestShop()
  try {
    const buyer = await aCustomer(silent)
    const id = await anOrder(silent, buyer)
    const { body } = await silent.call('createPaymentIntent', {
      as: buyer,
      body: { amount: 40, orderId: id },
    })
    const { intentId } = await payAtSandbox(silent, body.client_secret)
    await silent.call('payOrder', { as: buyer, params: { id }, body: { transactionId: intentId } })
    await silent.call('deleteOrder', { as: buyer, query: { id: await anOrder(silent, buyer) } })
    expect(await silent.db.selectFrom('mail_outbox').selectAll().execute()).toEqual([])
  } finally {
    await silent.close()
  }
})

/** Makes new emails wait for an hour. */
const holdEmails = () =>
  shop.database.pool.query(`create function hold() returns trigger language plpgsql as
    $$ begin new.next_attempt_at := now() + interval '1 hour'; return new; end $$;
    create trigger hold before insert on mail_outbox for each row execute function hold()`)
const releaseEmails = () => shop.database.pool.query('drop trigger hold on mail_outbox; drop function hold')
/** Sends the emails that wait. */
async function sendHeldEmails(): Promise<void> {
  await shop.db.updateTable('mail_outbox').set({ next_attempt_at: new Date() }).execute()
  shop.payments.orderEmails?.wake()
}

test('an order email expires after seven days', async () => {
  await holdEmails()
  await cancel(await anOrder(shop, rider))
  await releaseEmails()
  const days = sql<number>`round(extract(epoch from expires_at - now()) / 86400)::integer`.as('days')
  const rows = shop.db.selectFrom('mail_outbox').select(['kind', 'subject', days])
  expect(await rows.execute()).toMatchObject([{ kind: 'order-cancelled', days: 7 }])
})
