import { expect, test } from 'vitest'
import { noAnswer } from '../../api.ts'
import { authMessage } from './sign-in-messages.ts'

test('without a connection a form says so, except where the specification has a message', () => {
  expect(authMessage(noAnswer())).toBe("We can't reach the shop. Check your connection.")
  expect(authMessage(noAnswer(), 'Login failed')).toBe('Login failed')
  expect(authMessage(new Error('Unexpected'))).toBe('Something went wrong. Please try again.')
})
