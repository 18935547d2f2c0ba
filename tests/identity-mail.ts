import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { type Mail, openMail, openSmtpMailer } from '../server/modules/mail/service.ts'
import {
  type AuthServer,
  type AuthServerOptions,
  expectNeverLogged,
  openAuthServer,
  type TestBrowser,
} from './auth-server.ts'
import { openTestDatabase } from './database.ts'
import { plainSender } from './email-sender.ts'
import { linkIn, type MailServer, openMailServer, type ReceivedMail } from './mail-server.ts'

export interface AuthServerWithMail extends AuthServer {
  server: MailServer
  /** Resolves to the emails to this recipient, once there are `count` of them. */
  emails(email: string, count: number): Promise<ReceivedMail[]>
  /** Requests a password reset, and returns the token in the email. */
  askForReset(email: string, browser?: TestBrowser): Promise<string>
  /** Resolves when the outbox is empty. */
  settled(): Promise<void>
}

const none = async () => null
const noOrderEmails = {
  'order-placed': none,
  'order-received': none,
  'order-shipped': none,
  'order-cancelled': none,
  'order-expired': none,
  'order-refunded': none,
  'return-approved': none,
  'return-rejected': none,
  'withdrawal-received': none,
  'shipment-sent': none,
  'tracking-added': none,
  'shipment-withdrawn': none,
  'payment-link': none,
  invitation: none,
}

type Options = Omit<AuthServerOptions, 'outbox'>

/** Opens the identity provider with a real mail server. */
export async function openAuthServerWithMail(options: Options = {}): Promise<AuthServerWithMail> {
  const database = await openTestDatabase()
  const server = await openMailServer()
  let log = ''
  const settings = {
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    login: null,
    from: { name: 'Torque Yard', address: 'shop@shop.test' },
  }
  const mail: Mail = openMail({
    db: database.db,
    mailer: openSmtpMailer(settings),
    readSender: async () => plainSender,
    log: pino({ level: 'trace' }, { write: (line: string) => void (log += line) }),
  })
  const auth = await openAuthServer({ ...options, outbox: mail.outbox }, database)
  mail.start({ ...auth.provider.emails, ...noOrderEmails })

  const to = (email: string) => server.received.filter((each) => each.to.includes(email))
  const until = (condition: () => boolean | Promise<boolean>) =>
    vi.waitUntil(condition, { interval: 10, timeout: 60_000 })
  const settled = async () => {
    await until(async () => (await database.pool.query('select from mail_outbox')).rowCount === 0)
  }

  return {
    ...auth,
    server,
    logged: () => auth.logged() + log,
    settled,
    async emails(email, count) {
      await until(() => to(email).length >= count)
      return to(email)
    },
    async askForReset(email, browser = auth.browser()) {
      const links = () => to(email).filter(({ text }) => text.includes('/reset-password#'))
      const before = links().length
      await browser.post('/idp/request-password-reset', { email })
      await until(() => links().length > before)
      await settled()
      return linkIn(links().at(-1) ?? { text: '' }).token
    },
    async close() {
      await auth.close()
      await mail.close()
      await server.close()
      await database.close()
    },
  }
}

/** Like `useAuthServer`, with a mail server, which has no emails of earlier tests. */
export function useAuthServerWithMail(options?: Options, neverLogged?: RegExp): AuthServerWithMail {
  const server = {} as AuthServerWithMail
  beforeAll(async () => void Object.assign(server, await openAuthServerWithMail(options)))
  beforeEach(async () => {
    await server.settled()
    await server.database.empty()
    server.server.received.length = 0
  })
  if (neverLogged) afterEach(() => expectNeverLogged(server, neverLogged))
  afterAll(() => server.close())
  return server
}
