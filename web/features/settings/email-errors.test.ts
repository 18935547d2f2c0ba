import { expect, test } from 'vitest'
import { splitErrors } from './email-errors.ts'

test('errors of the edited email have the names of its fields, and other emails are named once', () => {
  const message = 'At most 120 characters'
  const errors = {
    'order-received.subject': message,
    'password-reset.subject': message,
    'password-reset.before': message,
  }
  expect(splitErrors('order-received', errors)).toEqual({
    errors: { subject: message },
    others: ['password-reset'],
  })
  expect(splitErrors('order-placed', {})).toEqual({ errors: {}, others: [] })
})
