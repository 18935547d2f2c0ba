import { useState } from 'react'
import { ForgotPassword } from '../../contract/customers.ts'
import { AuthForm, emailField } from '../features/identity/auth-form.tsx'
import { MailboxNote } from '../features/identity/email-link.tsx'
import { requestPasswordReset } from '../features/identity/provider.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link, useLocation, useSettings } from '../router/router.tsx'
import { Notice } from '../ui/alert.tsx'
import { focusMainIfLost } from '../ui/lost-focus.ts'

export const meta = () => ({ title: 'Forgot password' })

export default function ForgotPasswordPage() {
  const { mail } = useSettings()
  const { state } = useLocation()
  const [sent, setSent] = useState(false)
  const show = (isNowSent: boolean) => {
    setSent(isNowSent)
    // The pressed button disappears.
    focusMainIfLost()
  }
  return (
    <AuthLayout title="Forgot password?">
      {mail === 'off' && (
        <p>This shop can't send email, so you can't reset your password here. Please contact us.</p>
      )}
      {mail !== 'off' && !sent && (
        <>
          <p className="text-quiet">We'll email you a link to choose a new password.</p>
          <AuthForm
            schema={ForgotPassword}
            fields={{ email: emailField }}
            submitLabel="Send link"
            send={({ email }) => requestPasswordReset(email).then(() => show(true))}
          />
        </>
      )}
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
          <button type="button" onClick={() => show(false)} className="font-semibold text-signal underline">
            Use another email
          </button>
        ) : (
          <Link href="/login" state={state} className="font-semibold text-signal underline">
            Log in
          </Link>
        )}
      </p>
    </AuthLayout>
  )
}
