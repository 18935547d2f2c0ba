import { createTransport } from 'nodemailer'
import { type Mailer, MailFailure } from './mailer.ts'

export interface SmtpSettings {
  host: string
  port: number
  /** TLS from the first byte. Without it STARTTLS is used where the server offers it. */
  secure: boolean
  login: { user: string; password: string } | null
  from: { name: string; address: string }
  /** A certificate authority beside those that Node knows. */
  ca?: string
}

const step = 10_000
const whole = 30_000

/** Sends through a mail server, over a connection of its own for each message. */
export function openSmtpMailer(settings: SmtpSettings): Mailer {
  const { host, port, secure, login, from, ca } = settings
  const transport = createTransport({
    host,
    port,
    secure,
    // A password never goes over a network in the clear, whatever a server, or somebody in between, says it offers.
    requireTLS: login !== null && !isThisMachine(host),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    ...(ca && { tls: { ca } }),
    dnsTimeout: step,
    connectionTimeout: step,
    greetingTimeout: step,
    socketTimeout: step,
    socketCloseTimeout: 1_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.split('@')[1]

  return {
    async send({ id, to, subject, text, html }, signal) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from,
          // As an object: a text would be read as a list of addresses.
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          subject,
          text,
          html,
          // No machine answers that its owner is on holiday.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(whole)]),
        })
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

const isThisMachine = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host)

function failureOf(error: unknown): MailFailure {
  const { code, responseCode, command } = error as {
    code?: unknown
    responseCode?: unknown
    command?: unknown
  }
  const reason = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number')
  return new MailFailure(reason.join(' ') || 'unknown', {
    isFinal: command === 'RCPT TO' && Number(responseCode) >= 500,
  })
}
