import type { SmtpSettings } from '../modules/mail/service.ts'
import { StartupError } from '../platform/startup-error.ts'
import type { Settings } from './environment.ts'

const ownNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns the mail server, else the demo mailbox, else null. The mailbox shows password reset links to everyone, so it
 * requires a demo shop that only this machine can reach.
 */
export function readMail(
  settings: Settings,
  shop: { production: boolean; isLoopback: boolean; origin: string; demo: boolean; trustedProxies: number },
): SmtpSettings | 'mailbox' | null {
  const smtpUrl = settings.url('SMTP_URL', ['smtp:', 'smtps:'])
  const from = settings.text('MAIL_FROM')
  if (smtpUrl && from) return { ...readServer(smtpUrl), from: readSender(from) }
  if (smtpUrl || from) {
    throw new StartupError('Set both SMTP_URL and MAIL_FROM, or neither.')
  }
  const isForOthers =
    shop.production ||
    !shop.isLoopback ||
    shop.trustedProxies > 0 ||
    !ownNames.includes(new URL(shop.origin).hostname)
  return shop.demo && !isForOthers ? 'mailbox' : null
}

/** Error messages do not contain the URL, because it may hold a password. */
function readServer(smtpUrl: string): Omit<SmtpSettings, 'from'> {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  try {
    const user = decodeURIComponent(url.username)
    const password = decodeURIComponent(url.password)
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port || (secure ? 465 : 587)),
      secure,
      login: user ? { user, password } : null,
    }
  } catch (error) {
    throw new StartupError(
      'SMTP_URL has an invalid user or password. Percent-encode special characters, for example %40 for @.',
      { cause: error },
    )
  }
}

function readSender(text: string): SmtpSettings['from'] {
  const found = /^(?:([^<>"\p{Cc}]*)<)?([^\s<>@,;"]+@[^\s<>@,;"]+?)>?$/u.exec(text)
  const [, name = '', address] = found ?? []
  if (address && text.includes('<') === text.endsWith('>')) return { name: name.trim(), address }
  throw new StartupError("MAIL_FROM is not a valid sender. Use a form such as 'The Shop <shop@example.com>'.")
}
