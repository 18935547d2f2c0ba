import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  /** Sender and recipients of the envelope. */
  from: string
  to: string[]
  secure: boolean
  user: string | undefined
  /** The raw message. */
  source: string
  /** The decoded message. */
  text: string
}

export interface MailServer {
  port: number
  received: ReceivedMail[]
  /** Resolves to the nth message, counted from 1. */
  nth(count: number): Promise<ReceivedMail>
  close(): Promise<void>
}

/**
 * Opens a local mail server. By default it accepts every message, without TLS.
 *
 * @param scanMs wait before it accepts a message
 */
export async function openMailServer(
  options: SMTPServerOptions = {},
  port = 0,
  scanMs = 0,
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const waiting: { count: number; resolve: (mail: ReceivedMail) => void }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...options,
    onData(stream, session, done) {
      let source = ''
      stream.on('data', (chunk) => {
        source += String(chunk)
      })
      stream.on('end', () => {
        addMail(source, session)
        setTimeout(done, scanMs)
      })
    },
  })

  function addMail(source: string, { envelope, secure, user }: SMTPServerSession): void {
    const { mailFrom, rcptTo } = envelope
    received.push({
      from: mailFrom ? mailFrom.address : '',
      to: rcptTo.map(({ address }) => address),
      secure,
      user: user === undefined ? undefined : String(user),
      source,
      text: decode(source),
    })
    for (const { count, resolve } of waiting) {
      const mail = received[count - 1]
      if (mail) resolve(mail)
    }
  }

  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    nth: (count) =>
      new Promise((resolve) => {
        const mail = received[count - 1]
        if (mail) resolve(mail)
        else waiting.push({ count, resolve })
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Returns the first link of an email, and the token after its `#`. */
export function linkIn({ text }: Pick<ReceivedMail, 'text'>): { url: string; token: string } {
  const url = /https?:\/\/\S+#[\w-]+/.exec(text)?.[0] ?? ''
  return { url, token: url.split('#')[1] ?? '' }
}

/** Decodes quoted-printable (RFC 2045), the encoding of the emails. */
function decode(source: string): string {
  const bytes = source
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
