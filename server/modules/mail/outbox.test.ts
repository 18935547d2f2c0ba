import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, untilWaiting } from '../../../tests/database.ts'
import { plainSender } from '../../../tests/email-sender.ts'
import { freePort } from '../../../tests/free-port.ts'
import { type MailServer, openMailServer } from '../../../tests/mail-server.ts'
import { type EmailRenderers, type Mail, openMail, openSmtpMailer } from './service.ts'

const email = 'rider@example.com'
const secret = 'a-secret-link'

let database: TestDatabase
let server: MailServer
let opened: Mail[] = []
let log = ''

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  log = ''
  await database.empty()
})
afterEach(async () => {
  await Promise.all(opened.map((mail) => mail.close()))
  opened = []
  await server.close()
})
afterAll(() => database.close())

const write = async () => ({
  kind: 'password-changed' as const,
  values: {},
  body: [`https://shop.test/#${secret}`],
})
const emails: EmailRenderers = {
  'password-reset': write,
  'email-verification': write,
  'password-changed': write,
  'order-placed': write,
  'order-received': write,
  'order-shipped': write,
  'order-cancelled': write,
  'order-expired': write,
  'order-refunded': write,
  'return-approved': write,
  'return-rejected': write,
  'withdrawal-received': write,
  'shipment-sent': write,
  'tracking-added': write,
  'shipment-withdrawn': write,
  'payment-link': write,
  invitation: write,
  'email-change': write,
  'email-changed': write,
}

/** Opens a process that sends and retries after 20 ms. */
function open(port = server.port, written: Partial<EmailRenderers> = {}): Mail {
  const mail = openMail({
    db: database.db,
    mailer: openSmtpMailer({
      host: '127.0.0.1',
      port,
      secure: false,
      login: null,
      from: { name: '', address: 'shop@shop.test' },
    }),
    readSender: async () => plainSender,
    log: pino({ level: 'trace' }, { write: (line: string) => void (log += line) }),
    retryDelayMs: () => 20,
  })
  opened.push(mail)
  mail.start({ ...emails, ...written })
  return mail
}

async function queue(mail: Mail, to = email): Promise<void> {
  await mail.outbox.enqueue(database.db, 'password-reset', to)
  mail.outbox.wake()
}

const waiting = async () =>
  (await database.db.selectFrom('mail_outbox').selectAll().execute()).map(({ email: to }) => to)

/** Waits until the outbox is empty. */
async function waitUntilQueueIsEmpty(): Promise<void> {
  await expect.poll(waiting, { interval: 10 }).toEqual([])
}

describe('an email in the outbox', () => {
  test('is sent and deleted, and its token and address are not in the log', async () => {
    server = await openMailServer()
    await queue(open())
    const { to, text } = await server.nth(1)
    expect(to).toEqual([email])
    expect(text).toContain(secret)
    await waitUntilQueueIsEmpty()
    expect((await database.pool.query('select from sandbox.mailbox')).rowCount).toBe(0)
    expect(log).not.toMatch(/secret|rider/)
  })

  test('is stored without its content, which is rendered when it is sent', async () => {
    server = await openMailServer()
    await database.db.transaction().execute(async (tx) => {
      await open().outbox.enqueue(tx, 'password-reset', email)
      expect(JSON.stringify(await tx.selectFrom('mail_outbox').selectAll().execute())).not.toContain(secret)
    })
  })

  test('is not sent if its transaction is rolled back', async () => {
    server = await openMailServer()
    const mail = open()
    const rolledBack = database.db.transaction().execute(async (tx) => {
      await mail.outbox.enqueue(tx, 'password-reset', email)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    await queue(mail, 'other@example.com')
    await waitUntilQueueIsEmpty()
    expect(server.received.map(({ to }) => to)).toEqual([['other@example.com']])
  })

  test('is queued once per kind and recipient', async () => {
    server = await openMailServer()
    const { outbox } = open()
    await database.db.transaction().execute(async (tx) => {
      for (let round = 0; round < 3; round++) await outbox.enqueue(tx, 'password-reset', email)
      await outbox.enqueue(tx, 'password-changed', email)
    })
    outbox.wake()
    await waitUntilQueueIsEmpty()
    expect(server.received).toHaveLength(2)
  })

  test('without content is dropped silently', async () => {
    server = await openMailServer()
    await queue(open(server.port, { 'password-reset': async () => null }))
    await waitUntilQueueIsEmpty()
    expect(server.received).toEqual([])
    expect(log).toBe('')
  })

  test('is not sent before its delay, and then once', async () => {
    server = await openMailServer()
    const { outbox } = open()
    const began = Date.now()
    await database.db.transaction().execute(async (tx) => {
      await outbox.enqueue(tx, 'shipment-sent', email, 's1', { delayMs: 500 })
    })
    outbox.wake()
    await server.nth(1)
    expect(Date.now() - began).toBeGreaterThanOrEqual(500)
    await waitUntilQueueIsEmpty()
    expect(server.received).toHaveLength(1)
  })

  test('is not sent after it has expired', async () => {
    server = await openMailServer()
    const { outbox } = open()
    await database.db.transaction().execute(async (tx) => {
      await outbox.enqueue(tx, 'password-reset', email)
      await tx
        .updateTable('mail_outbox')
        .set({ expires_at: new Date(Date.now() - 1000) })
        .execute()
    })
    outbox.wake()
    await waitUntilQueueIsEmpty()
    expect(server.received).toEqual([])
    expect(log).toContain('dropped an expired email')
  })
})

test('several processes send each email once', async () => {
  server = await openMailServer()
  const processes = Array.from({ length: 4 }, () => open())
  const people = Array.from({ length: 60 }, (_, index) => `rider-${index}@example.com`)
  await database.db.transaction().execute(async (tx) => {
    for (const to of people) await processes[0]?.outbox.enqueue(tx, 'password-reset', to)
  })
  // Blocks all claims until every process has one in progress.
  const { pool } = database
  await pool.query(`
    create function wait() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(7); return new; end $$;
    create trigger wait before update on mail_outbox for each row execute function wait()`)
  const gate = await pool.connect()
  await gate.query('select pg_advisory_lock(7)')
  for (const { outbox } of processes) outbox.wake()
  await untilWaiting(database, processes.length)
  await gate.query('select pg_advisory_unlock(7)')
  gate.release()
  await waitUntilQueueIsEmpty()
  await pool.query('drop trigger wait on mail_outbox; drop function wait')
  expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual(people.toSorted())
})

describe('a mail server', () => {
  test('that is unavailable is logged, and the email is sent when it is available again', async () => {
    const port = await freePort()
    server = await openMailServer()
    await queue(open(port))
    await expect.poll(() => log, { interval: 10 }).toContain('could not send an email, retrying')
    expect(await waiting()).toEqual([email])
    expect(log).toContain('"reason":"ESOCKET"')

    const back = await openMailServer({}, port)
    expect((await back.nth(1)).to).toEqual([email])
    await waitUntilQueueIsEmpty()
    await back.close()
    expect(log).not.toMatch(/secret|rider/)
  })

  test('that rejects the mailbox is not asked again', async () => {
    let asked = 0
    server = await openMailServer({
      onRcptTo: ({ address }, _session, done) => {
        asked++
        done(Object.assign(new Error(`no ${address} here`), { responseCode: 550 }))
      },
    })
    await queue(open())
    await waitUntilQueueIsEmpty()
    expect(asked).toBe(1)
    expect(log).toContain('dropped an email to an unknown mailbox')
    expect(log).not.toContain('rider')
  })
})

test("an email that can't be rendered is retried", async () => {
  server = await openMailServer()
  let attempts = 0
  const failing = async () => {
    if (++attempts === 1) throw new Error('the database went away')
    return write()
  }
  await queue(open(server.port, { 'password-reset': failing }))
  await server.nth(1)
  expect(log).toContain('could not render an email, retrying')
})

test('an email is sent by the next process if the first one is stopped while sending', async () => {
  let reached = () => undefined as void
  const begun = new Promise<void>((resolve) => {
    reached = resolve
  })
  // Never responds, so the connection stays open until the client aborts.
  server = await openMailServer({ onMailFrom: () => reached() })
  const mail = open()
  await queue(mail)
  await begun
  await mail.close()
  expect(await waiting()).toEqual([email])
})
