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

/** The library reads a text, also one within an object or an envelope, as a list of addresses and names. */
const addressPattern = /^[^\s\p{Cc}<>@,;:"()[\]\\]+@[^\s\p{Cc}<>@,;:"()[\]\\]+$/u

/**
 * Sends through a mail server, over a connection of its own for each message.
 *
 * @param stepMs for which it waits for each step; a whole message takes three of them at most
 */
export function openSmtpMailer(settings: SmtpSettings, stepMs = 10_000): Mailer {
  const { host, port, secure, login, from, ca } = settings
  const transport = createTransport({
    host,
    port,
    secure,
    // A password never goes over a network in the clear, whatever a server, or someone in between, says it offers.
    requireTLS: login !== null && !isThisMachine(host),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    ...(ca && { tls: { ca } }),
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    socketCloseTimeout: 1_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.split('@')[1]

  return {
    async send({ id, to, subject, text, html }, signal) {
      if (!addressPattern.test(to)) throw new MailFailure('EADDRESS', { isFinal: true })
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from,
          to,
          subject,
          text,
          html,
          // No machine answers that its owner is on holiday.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(3 * stepMs)]),
        })
      } catch (error) {
        throw toFailure(error)
      }
    },
  }
}

const isThisMachine = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host)

function toFailure(error: unknown): MailFailure {
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
