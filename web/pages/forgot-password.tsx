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
        <p>
          This shop sends no mail, so a forgotten password can't be replaced here. Please write to the people
          behind the counter.
        </p>
      )}
      {mail !== 'off' && !sent && <ForgotPasswordForm onSent={() => setSent(true)} />}
      {sent && (
        <Notice title="Look into your mail">
          <p>
            If there is an account with this e-mail, a letter is on its way. Its link works once, for one
            hour. Nothing there? Look among the spam, and at how you spelt the e-mail.
          </p>
        </Notice>
      )}
      {mail === 'mailbox' && <MailboxNote />}
      <p className="text-quiet">
        {sent ? 'Mistyped it?' : 'Remembered it?'}{' '}
        {sent ? (
          <button
            type="button"
            onClick={() => setSent(false)}
            className="font-semibold text-signal underline"
          >
            Try another e-mail
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
