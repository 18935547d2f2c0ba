import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  /** As the envelope has them. */
  from: string
  to: string[]
  secure: boolean
  user: string | undefined
  /** As it came over the wire. */
  source: string
  /** With its parts decoded. */
  text: string
}

export interface MailServer {
  port: number
  received: ReceivedMail[]
  /** Resolves with the message that is number so many of all. */
  nth(count: number): Promise<ReceivedMail>
  close(): Promise<void>
}

/** A mail server on this machine; without options it takes everything, over a plain connection. */
export async function openMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
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
        keep(source, session)
        done()
      })
    },
  })

  function keep(source: string, { envelope, secure, user }: SMTPServerSession): void {
    const { mailFrom, rcptTo } = envelope
    received.push({
      from: mailFrom ? mailFrom.address : '',
      to: rcptTo.map(({ address: url }) => url),
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

/** The first link of a letter, and the secret behind its `#`. */
export function linkIn({ text }: Pick<ReceivedMail, 'text'>): { url: string; token: string } {
  const url = /https?:\/\/\S+#[\w-]+/.exec(text)?.[0] ?? ''
  return { url, token: url.split('#')[1] ?? '' }
}

/** Quoted-printable (RFC 2045), in which these letters come. */
function decode(source: string): string {
  const bytes = source
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
