import { useState } from 'react'
import { ForgotPassword } from '../../contract/customers.ts'
import { MailboxNote } from '../features/identity/email-link.tsx'
import { requestPasswordReset } from '../features/identity/provider.ts'
import { emailMessage } from '../features/identity/sign-in-messages.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link, useHydrated, useLocation, useSettings } from '../router/router.tsx'
import { Alert, Notice } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { useCheckedForm } from '../ui/form.ts'

export const meta = () => ({ title: 'Forgot password' })

export default function ForgotPasswordPage() {
  const { mail } = useSettings()
  const { state } = useLocation()
  const [sent, setSent] = useState(false)
  return (
    <AuthLayout title="Forgot password?">
      {mail === 'off' && (
        <p>This shop can't send email, so you can't reset your password here. Please contact us.</p>
      )}
      {mail !== 'off' && !sent && <ForgotPasswordForm onSent={() => setSent(true)} />}
      {sent && (
        <Notice title="Check your email">
          <p>
            If there is an account with this email, we've sent you a link. It works once and expires in one
            hour. Not there? Check your spam folder and the spelling of your email.
          </p>
        </Notice>
      )}
      {mail === 'mailbox' && <MailboxNote />}
      <p className="text-quiet">
        {sent ? 'Wrong email?' : 'Remembered your password?'}{' '}
        {sent ? (
          <button
            type="button"
            onClick={() => setSent(false)}
            className="font-semibold text-signal underline"
          >
            Use another email
          </button>
        ) : (
          <Link href="/login" state={state} className="font-semibold text-signal underline">
            Login
          </Link>
        )}
      </p>
    </AuthLayout>
  )
}

/** Form that requests a password reset email. */
function ForgotPasswordForm({ onSent }: { onSent: () => void }) {
  const hydrated = useHydrated()
  const { field, failure, isSubmitting, formProps } = useCheckedForm({
    schema: ForgotPassword,
    defaultValues: { email: '' },
    send: ({ email }) => requestPasswordReset(email).then(onSent),
  })

  return (
    <form method="post" {...formProps} className="flex flex-col gap-4">
      <p className="text-quiet">We'll email you a link to choose a new password.</p>
      <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
      {failure !== undefined && <Alert>{emailMessage(failure)}</Alert>}
      <Button type="submit" busy={isSubmitting} disabled={!hydrated} className="w-full">
        Send link
      </Button>
    </form>
  )
}
