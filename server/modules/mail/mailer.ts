import { hostname } from 'node:os'
import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import type { Message } from './compose.ts'

/** Sends messages, over SMTP or to the demo's mailbox. */
export interface Mailer {
  /**
   * Resolves when the message has been accepted for delivery.
   *
   * @throws MailFailure
   */
  send(message: Message, signal: AbortSignal): Promise<void>
}

/**
 * Thrown when a message was not sent. Contains only codes: server responses often name the recipient, which must
 * not be logged.
 */
export class MailFailure extends Error {
  /** True if the mailbox does not exist, so another attempt is useless. */
  readonly isFinal: boolean

  constructor(reason: string, { isFinal = false } = {}) {
    super(reason)
    this.name = 'MailFailure'
    this.isFinal = isFinal
  }
}

export interface SmtpSettings {
  host: string
  port: number
  /** TLS from the first byte. If false, STARTTLS is used when the server offers it. */
  secure: boolean
  login: { user: string; password: string } | null
  from: { name: string; address: string }
  /** A certificate authority in addition to Node.js's own. */
  ca?: string
}

/** Excludes separators, because nodemailer parses a string as a list of addresses and names. */
const emailPattern = /^[^\s\p{Cc}<>@,;:"()[\]\\]+@[^\s\p{Cc}<>@,;:"()[\]\\]+$/u

/**
 * Timeout of each response. A mail server that scans a message before it accepts it needs longer than the other steps. Without
 * its response the message is sent again, although the server delivers it.
 */
const responseMs = 120_000

/**
 * Sends through an SMTP server, with a new connection for each message.
 *
 * @param stepMs timeout of connecting and greeting; a whole message takes at most three times as long, and `responseMs`
 */
export function openSmtpMailer(settings: SmtpSettings, stepMs = 10_000, machine = hostname()): Mailer {
  const { host, port, secure, login, from, ca } = settings
  // nodemailer does not encode the domain of the message id.
  const domain = domainToASCII(from.address.split('@')[1] ?? '')
  const transport = createTransport({
    host,
    port,
    secure,
    // Containers have names without a domain, for which nodemailer says `[127.0.0.1]`. Some servers refuse that.
    name: machine.includes('.') ? machine : domain,
    // Never send a password unencrypted, even if the server, or an attacker in between, offers no TLS.
    requireTLS: login !== null && !isThisMachine(host),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    // A mail server on this machine often has a certificate of its own.
    tls: { ...(ca && { ca }), rejectUnauthorized: !isThisMachine(host) },
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: responseMs,
    socketCloseTimeout: 1_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  return {
    async send({ id, to, fromName, replyTo, subject, text, html }, signal) {
      if (!emailPattern.test(to)) throw new MailFailure('EADDRESS', { isFinal: true })
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from: { ...from, name: fromName ?? from.name },
          ...(replyTo && { replyTo }),
          to,
          subject,
          text,
          html,
          // Prevents automatic replies, such as holiday notices.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(3 * stepMs + responseMs)]),
        })
      } catch (error) {
        throw toFailure(error)
      }
    },
  }
}

const isThisMachine = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host)

function toFailure(error: unknown): MailFailure {
  const { code, responseCode, command, response } = error as Record<string, unknown>
  const reason = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number')
  return new MailFailure(reason.join(' ') || 'unknown', {
    isFinal: command === 'RCPT TO' && Number(responseCode) >= 500 && !refusesShop(String(response)),
  })
}

/**
 * Whether the mail server refuses the shop rather than the recipient, because of a setting that an operator can correct or a
 * limit that ends by itself. The enhanced codes (RFC 3463) 5.1.7 and 5.1.8 are about the sender. The others that begin with 5.1, 5.2
 * and 5.4.1 are about the recipient, even if the text has the word relay: "User unknown in relay recipient table".
 */
function refusesShop(response: string): boolean {
  const enhancedCode = /(?:^\d{3}[ -]|#)(5\.\d+\.\d+)/.exec(response)?.[1] ?? ''
  if (/^5\.(?:1\.(?![78]$)|2\.|4\.1$)/.test(enhancedCode)) return false
  // Not a part of an address or host name.
  const namesRelay = /(?<![\w.@])relay(?:ing)?\b(?![@-]|\.\w)/i.test(response)
  const namesLimit = /try again later|(?:quota|limit) exceeded/i.test(response)
  return /^5\.(?:1\.[78]$|4\.[56]$|7\.)/.test(enhancedCode) || namesRelay || namesLimit
}
