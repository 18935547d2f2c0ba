import { useState } from 'react'
import { ForgotPasswordForm } from '../features/identity/forgot-password-form.tsx'
import { MailboxNote } from '../features/identity/mailbox-note.tsx'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link } from '../router/link.tsx'
import { pageMeta } from '../router/page.ts'
import { useLocation, useSettings } from '../router/router.tsx'
import { Notice } from '../ui/notice.tsx'

export const meta = () => pageMeta('Forgot password')

export default function ForgotPassword() {
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
