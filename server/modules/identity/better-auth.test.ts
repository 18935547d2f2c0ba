import { expect, test } from 'vitest'
import { type Log, logWithoutPeople } from './better-auth.ts'

function listen() {
  const logged: unknown[][] = []
  const readLog = (level: string) => (entry: unknown, text?: string) => void logged.push([level, entry, text])
  const log: Log = { info: readLog('info'), warn: readLog('warn'), error: readLog('error') }
  return { logged, print: logWithoutPeople(log) }
}

test('emails are removed from messages', () => {
  const { logged, print } = listen()
  print('info', 'Sign-up attempt for existing email: a.rider+x@shop.test', { email: 'a.rider@shop.test' })
  expect(logged).toEqual([
    ['info', 'identity provider: Sign-up attempt for existing email: [e-mail]', undefined],
  ])
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
  expect(logged).toEqual([
    [
      'error',
      {
        error: {
          type: 'Error',
          code: '23505',
          constraint: 'user_email_key',
          stack: expect.stringContaining('duplicate key: ([e-mail])'),
        },
      },
      'identity provider: Failed to create user',
    ],
  ])
})

test('a client error is not logged as an error', () => {
  const { logged, print } = listen()
  const mistake = Object.assign(new Error('State mismatch'), { name: 'BetterAuthError' })
  print('error', 'Failed to parse state', mistake)
  print('warn', 'Invalid password')
  expect(logged.map(([level]) => level)).toEqual(['info', 'info'])
})
