import { expect, test } from 'vitest'
import { openLog } from '../../platform/telemetry/log.ts'
import { toBetterAuthLog } from './better-auth.ts'

function listen() {
  const lines: string[] = []
  const print = toBetterAuthLog(openLog('trace', { write: (line: string) => void lines.push(line) }))
  const logged = () => lines.map((line) => JSON.parse(line) as object)
  return { logged, print }
}

test('emails are removed from messages', () => {
  const { logged, print } = listen()
  print('info', 'Sign-up attempt for existing email: a.rider+x@shop.test', { email: 'a.rider@shop.test' })
  expect(logged()).toMatchObject([
    { level: 'info', msg: 'identity provider: Sign-up attempt for existing email: [e-mail]' },
  ])
  expect(JSON.stringify(logged())).not.toContain('a.rider')
})

test('an error is logged with type, code and stack, without the values of its row', () => {
  const { logged, print } = listen()
  const error = Object.assign(new Error('duplicate key: (a.rider@shop.test)'), {
    code: '23505',
    constraint: 'user_email_key',
    detail: 'Key (email)=(a.rider@shop.test) already exists.',
    parameters: ['a.rider@shop.test'],
  })
  print('error', 'Failed to create user', error)
  const [entry] = logged()
  expect(entry).toMatchObject({
    level: 'error',
    msg: 'identity provider: Failed to create user',
    err: {
      type: 'Error',
      code: '23505',
      constraint: 'user_email_key',
      stack: expect.stringContaining('duplicate key: ([e-mail])'),
    },
  })
  expect(JSON.stringify(entry)).not.toContain('a.rider')
})

test('a client error is not logged as an error', () => {
  const { logged, print } = listen()
  const mistake = Object.assign(new Error('State mismatch'), { name: 'BetterAuthError' })
  print('error', 'Failed to parse state', mistake)
  print('warn', 'Invalid password')
  expect(logged()).toMatchObject([{ level: 'info' }, { level: 'info' }])
})
