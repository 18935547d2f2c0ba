import { useState } from 'react'
import * as z from 'zod/mini'
import { SignUp } from '../../../contract/customers.ts'
import { Notice } from '../../ui/alert.tsx'
import { AuthForm, newPasswordField } from './auth-form.tsx'
import { signUp } from './provider.ts'
import { openSession } from './session-actions.ts'
import { ShownError } from './sign-in-messages.ts'

/**
 * Creates an account with the email of a guest's order. The order becomes its own in My Orders, once the email is
 * confirmed: the reader of the order may not be its buyer.
 */
export function SaveAccount({ email, name }: { email: string; name: string }) {
  const [isSaved, setSaved] = useState(false)
  if (isSaved) {
    return (
      <Notice title="Account created">
        <p>
          Confirm your email address with the link that we have sent to you. Then add this order in{' '}
          <a href="/dashboard/my-orders" className="font-semibold underline">
            My Orders
          </a>
          .
        </p>
      </Notice>
    )
  }
  return (
    <AuthForm
      schema={z.pick(SignUp, { password: true })}
      // The button that opened the form is gone.
      fields={{ password: { ...newPasswordField, autoFocus: true } }}
      submitLabel="Create account"
      send={async ({ password }) => {
        await signUp({ email, password, name: name || email })
        try {
          await openSession()
        } catch (cause) {
          throw new ShownError('Your account was created. Please log in.', { cause })
        }
        setSaved(true)
      }}
    />
  )
}
