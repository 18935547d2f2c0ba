import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { plainSender } from '../../../tests/email-sender.ts'
import { listen } from '../../../tests/listen.ts'
import { type MailServer, openMailServer } from '../../../tests/mail-server.ts'
import { certificate } from '../../../tests/mail-server-certificate.ts'
import { compose } from './compose.ts'
import { openSmtpMailer, type SmtpSettings } from './mailer.ts'

let server: MailServer
afterEach(() => server.close())

const never = new AbortController().signal
const email = compose(
  {
    kind: 'password-reset',
    values: {},
    body: ['Somebody <asked> & waits.', { label: 'Choose one', url: 'https://shop.test/reset-password#abc' }],
  },
  {
    ...plainSender,
    seller: { name: 'Torque & Yard', address: ['1 Road'] },
    contactEmail: 'help@shop.test',
    texts: { 'password-reset': { subject: 'Reset your password für Zoë' } },
  },
  { id: 'email-1', to: 'rider@example.com' },
)
const login = { user: 'shop', password: 'p@ss:word' }
/** A name of this machine that the mailer does not know as such. */
const anotherHost = 'LOCALHOST'

function mailer(settings: Partial<SmtpSettings> = {}, stepMs = 5_000, machine?: string) {
  const from = { name: 'Torque Yard', address: 'shop@shop.test' }
  const plain = { host: '127.0.0.1', port: server.port, secure: false, login: null, from }
  return openSmtpMailer({ ...plain, ...settings }, stepMs, machine)
}

/** Accepts only this login, and names the rejected credentials in its response. */
const withLogin = (options: object = {}) =>
  openMailServer({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === login.user && password === login.password
        ? done(null, { user: username })
        : done(new Error(`wrong password ${password} of ${username}`)),
    ...options,
  })

describe('a message', () => {
  test('has a plain text and an escaped HTML part', async () => {
    server = await openMailServer()
    await mailer().send(email, never)
    const [mail] = server.received
    expect(mail).toMatchObject({ from: 'shop@shop.test', to: ['rider@example.com'] })
    expect(mail?.source).toMatch(/^From: Torque Yard <shop@shop\.test>\r$/m)
    expect(mail?.source).toMatch(/^To: rider@example\.com\r$/m)
    expect(mail?.source).toMatch(/^Message-ID: <email-1@shop\.test>\r$/m)
    expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(mail?.source).toMatch(/^Content-Type: multipart\/alternative;/m)
    expect(mail?.text).toContain(
      'Somebody <asked> & waits.\r\n\r\nChoose one:\r\nhttps://shop.test/reset-password#abc',
    )
    expect(mail?.text).toContain('>Somebody &lt;asked&gt; &amp; waits.</p>')
    expect(mail?.text).toContain('href="https://shop.test/reset-password#abc">Choose one</a>')
  })

  test.each([
    'rider@example.com\r\nBcc: thief@example.com',
    'rider@example.com, thief@example.com',
    'rider@example.com>\r\nRCPT TO:<thief@example.com',
    '"x" <thief@example.com>, rider@example.com',
  ])('to a list of recipients is never sent: %j', async (to) => {
    server = await openMailServer()
    await expect(mailer().send({ ...email, to }, never)).rejects.toMatchObject({
      message: 'EADDRESS',
      isFinal: true,
    })
    expect(server.received).toEqual([])
  })
})

describe('a connection', () => {
  test('by smtps is encrypted before the password is sent', async () => {
    server = await withLogin({ secure: true, ...certificate })
    await mailer({ secure: true, login, ca: certificate.cert }).send(email, never)
    expect(server.received).toMatchObject([{ secure: true, user: 'shop' }])
  })

  test('is encrypted by STARTTLS if the server offers it', async () => {
    server = await withLogin({ ...certificate, disabledCommands: [] })
    await mailer({ login, ca: certificate.cert }).send(email, never)
    expect(server.received).toMatchObject([{ secure: true, user: 'shop' }])
  })

  test.each([
    ['smtps', true],
    ['STARTTLS', false],
  ])('by %s is closed if the certificate is not trusted', async (_how, secure) => {
    server = await withLogin({ secure, ...certificate, disabledCommands: [] })
    await expect(mailer({ host: anotherHost, secure, login }).send(email, never)).rejects.toMatchObject({
      isFinal: false,
    })
    expect(server.received).toEqual([])
  })

  test('to this machine needs no certificate', async () => {
    server = await openMailServer({ ...certificate, disabledCommands: [] })
    await mailer().send(email, never)
    expect(server.received).toMatchObject([{ secure: true }])
  })

  test.each([
    ['3f2a9c', 'xn--mnchen-3ya.test'],
    ['web1.yard.test', 'web1.yard.test'],
  ])('from the machine %s greets the server as %s', async (machine, greeting) => {
    const greetings: string[] = []
    server = await openMailServer({
      onMailFrom(_address, { hostNameAppearsAs }, done) {
        greetings.push(hostNameAppearsAs)
        done()
      },
    })
    const from = { name: '', address: 'shop@münchen.test' }
    await mailer({ from }, 5_000, machine).send(email, never)
    expect(greetings).toEqual([greeting])
    const [headers = ''] = server.received[0]?.source.split('\r\n\r\n') ?? []
    expect(headers).toMatch(/^Message-ID: <email-1@xn--mnchen-3ya\.test>\r$/m)
    expect(headers).toMatch(/^\p{ASCII}+$/u)
  })

  test('over a network never sends the password unencrypted', async () => {
    const received: string[] = []
    server = await withLogin({
      disabledCommands: ['STARTTLS'],
      onAuth: (_auth: object, _session: object, done: (error: Error) => void) => {
        received.push('the password')
        done(new Error('no'))
      },
      allowInsecureAuth: true,
    })
    await expect(mailer({ host: anotherHost, login }).send(email, never)).rejects.toThrow('ETLS')
    expect(received).toEqual([])
  })
})

describe('a failure is reported by codes, never by the text of the server', () => {
  test('a wrong password', async () => {
    server = await withLogin({ allowInsecureAuth: true })
    const wrong = { user: 'shop', password: 'hunter2' }
    await expect(mailer({ login: wrong }).send(email, never)).rejects.toMatchObject({
      message: 'EAUTH 535',
      isFinal: false,
    })
  })

  test.each([
    [550, true],
    [450, false],
  ])('a mailbox rejected with %i: final is %s', async (responseCode, isFinal) => {
    server = await openMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error(`${address} is not here`), { responseCode })),
    })
    await expect(mailer().send(email, never)).rejects.toMatchObject({
      message: `EENVELOPE ${responseCode}`,
      isFinal,
    })
  })

  test.each([
    [554, '5.7.1 <rider@example.com>: Relay access denied', false],
    [550, '5.7.64 TenantAttribution', false],
    [550, '5.7.1 The connection is not trusted\n5.7.1 and not authenticated', false],
    [553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", false],
    [550, 'relay not permitted', false],
    [550, '5.0.0 Relaying denied.', false],
    [550, '5.4.6 Sender Hourly Quota Exceeded', false],
    [550, 'Requested action not taken: mailbox unavailable\nFailure sending mail. Try again later', false],
    [550, '5.1.8 <shop@shop.test>: Sender address rejected: Domain not found', false],
    [552, '5.2.2 Quota exceeded', true],
    [550, '5.1.1 User unknown in relay recipient table', true],
    [550, '5.2.1 This mailbox is disabled', true],
    [550, '5.4.1 Recipient address rejected: Access denied', true],
    [550, '<relay@example.com>: no such user at relay.example.com', true],
  ])('a recipient rejected with %i %j: final is %s', async (responseCode, response, isFinal) => {
    server = await openMailServer({
      // The server sends an array as lines.
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error(), { responseCode, message: response.split('\n') })),
    })
    await expect(mailer().send(email, never)).rejects.toMatchObject({
      message: `EENVELOPE ${responseCode}`,
      isFinal,
    })
  })

  test('no server', async () => {
    server = await openMailServer()
    await server.close()
    await expect(mailer().send(email, never)).rejects.toMatchObject({ message: 'ESOCKET', isFinal: false })
  })

  test('but not the long scan of a message before the server accepts it', async () => {
    server = await openMailServer({}, 0, 2_500)
    await mailer({}, 2_000).send(email, never)
    expect(server.received).toHaveLength(1)
  })

  test('a silent server times out, and an attempt can be aborted', async () => {
    server = await openMailServer()
    const silent = createServer()
    const port = await listen(silent)
    await expect(mailer({ port }, 100).send(email, never)).rejects.toMatchObject({ message: 'ETIMEDOUT' })
    await expect(mailer({ port }).send(email, AbortSignal.timeout(50))).rejects.toMatchObject({
      message: 'EABORT',
    })
    silent.close()
  })
})
