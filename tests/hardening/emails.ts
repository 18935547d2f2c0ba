import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { openMailServer } from '../mail-server.ts'
import type { Figure } from './check.ts'
import { cleanup } from './cleanup.ts'
import { untilTrue } from './shop-under-test.ts'

/** A mail server in the process of the harness, which the processes of the shop use. */
export interface EmailsUnderTest {
  /** Settings with which the shop sends to this server. */
  settings: Record<string, string>
  /** Waits until all emails are sent, and compares them with the orders. */
  check(db: Kysely<Database>): Promise<{ figure: Figure; repeated: number; violations: string[] }>
}

/** The emails that the history of each order, its shipments and its refunds require, by recipient and subject. */
const required = `
  select o.customer_email || ': Order #' || left(o.id, 6) || case e.kind
      when 'paid' then ' received'
      when 'cancelled' then ' was cancelled'
      when 'expired' then ' was cancelled: not paid in time' end as email
  from orders o join order_events e on e.order_id = o.id
  where e.kind in ('paid', 'cancelled', 'expired')
  union all
  select customer_email || ': Order #' || left(id, 6) || ' awaits payment' from orders
  where customer_id is null and status = 'unpaid'
  union all
  select o.customer_email || ': Order #' || left(o.id, 6)
    || case when o.is_pickup then ' is ready for pickup' else ' has shipped' end
  from orders o join shipments s on s.order_id = o.id
  union all
  select email || ': We received your withdrawal' from returns where is_withdrawal
  union all
  select email || ': Your return R-' || left(id, 6) from returns where status = 'approved'
  union all
  select o.customer_email || case when r.amount_cents > 0 then ': Refund for order #' || left(o.id, 6)
    else ': Items of order #' || left(o.id, 6) || ' were cancelled' end
  from orders o join refunds r on r.order_id = o.id
  where r.kind <> 'unmatched' and r.amount_cents > 0 or r.kind = 'cancellation'`

/** The emails that are sent only if the guest has not paid or cancelled before, or if the return is not closed before. */
const possible = `
  select o.customer_email || ': Order #' || left(o.id, 6) || ' awaits payment' as email
  from orders o join order_events e on e.order_id = o.id where e.kind = 'placed' and e.by_guest
  union all
  select email || ': Your return R-' || left(id, 6) from returns where status = 'closed'`

export async function openEmailsUnderTest(): Promise<EmailsUnderTest> {
  const server = await openMailServer()
  cleanup.add(server.close)
  return {
    settings: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'shop@shop.test' },
    async check(db) {
      // The lease of a killed process would last for up to three minutes.
      await sql`update mail_outbox set next_attempt_at = now()`.execute(db)
      const isSent = async () => (await sql`select from mail_outbox`.execute(db)).rows.length === 0
      await untilTrue(isSent, 120_000, 'sending the emails')

      // A repeated attempt has the same message id, so that recipients drop it.
      const ids = new Map<string, Set<string>>()
      for (const { to, source } of server.received) {
        // Whether a shipment is called a part depends on when its email was rendered: its other items may be cancelled.
        const subject = /^Subject: (.*)\r$/m.exec(source)?.[1]?.replace('Part of order', 'Order')
        const email = `${to.join()}: ${subject}`
        const id = /^Message-ID: <(.*)>\r$/m.exec(source)?.[1] ?? ''
        ids.set(email, (ids.get(email) ?? new Set()).add(id))
      }
      // Two orders of a customer can have the same short number, and so the same email.
      const expected = new Map<string, number>()
      for (const { email } of (await sql<{ email: string }>`${sql.raw(required)}`.execute(db)).rows)
        expected.set(email, (expected.get(email) ?? 0) + 1)
      const allowed = await sql<{ email: string }>`${sql.raw(possible)}`.execute(db)
      for (const { email } of allowed.rows) if (!expected.has(email)) expected.set(email, 0)
      const missing = [...expected].flatMap(([email, count]) =>
        (ids.get(email)?.size ?? 0) < count ? [email] : [],
      )
      const extra = [...ids.keys()].filter((email) => !expected.has(email))
      const doubled = [...ids].flatMap(([email, all]) =>
        all.size > (expected.get(email) || 1) ? [email] : [],
      )
      const repeated = server.received.length - [...ids.values()].reduce((sum, all) => sum + all.size, 0)
      const violations = Object.entries({ missing, extra, doubled }).flatMap(([what, emails]) =>
        emails.length > 0 ? [`${emails.length} emails are ${what}, the first is ${emails[0]}`] : [],
      )
      return {
        figure: { what: 'emails of the orders, sent again', measured: `${ids.size}, ${repeated}` },
        repeated,
        violations,
      }
    },
  }
}
