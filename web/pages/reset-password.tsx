import { useState } from 'react'
import { useEmailLinkToken } from '../features/identity/email-link-token.ts'
import { NewPasswordForm } from '../features/identity/new-password-form.tsx'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { pageMeta } from '../router/page.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'

export const meta = () => pageMeta('New password')

export default function ResetPassword() {
  const token = useEmailLinkToken()
  const [outcome, setOutcome] = useState<'changed' | 'link over' | null>(null)
  return (
    <AuthLayout title="New password">
      {outcome === 'changed' && <Changed />}
      {(outcome === 'link over' || (token === '' && !outcome)) && <LinkOver />}
      {!outcome && token === undefined && <Spinner className="size-8" />}
      {!outcome && token && (
        <NewPasswordForm
          token={token}
          onChanged={() => setOutcome('changed')}
          onLinkOver={() => setOutcome('link over')}
        />
      )}
    </AuthLayout>
  )
}

function Changed() {
  return (
    <>
      <Notice title="Your password was changed">
        <p>You've been logged out on all devices. Log in with your new password.</p>
      </Notice>
      <LinkButton href="/login">Login</LinkButton>
    </>
  )
}

function LinkOver() {
  return (
    <>
      <Alert>This link is no longer valid.</Alert>
      <p>Reset links work once and expire after one hour. Your password has not changed.</p>
      <LinkButton href="/forgot-password">Send a new link</LinkButton>
    </>
  )
}
