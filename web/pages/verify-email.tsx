import { useState } from 'react'
import * as z from 'zod/mini'
import { AuthForm } from '../features/identity/auth-form.tsx'
import { isLinkExpired, ResendEmail, useEmailLinkToken } from '../features/identity/email-link.tsx'
import { isEmailVerified, verifyEmail } from '../features/identity/provider.ts'
import { toReturnState, useSession } from '../features/identity/session.ts'
import { openSession } from '../features/identity/session-actions.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link, useLocation } from '../router/router.tsx'
import { Alert, Notice } from '../ui/alert.tsx'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Email } from '../ui/email.tsx'
import { PartSpinner } from '../ui/spinner.tsx'

export const meta = () => ({ title: 'Confirm your email' })

export default function VerifyEmail() {
  const [outcome, setOutcome] = useState<'confirmed' | 'link expired' | null>(null)
  return (
    <AuthLayout title="Confirm email">
      {outcome === 'confirmed' && (
        <>
          <Notice title="Email confirmed">
            <p>Your email address is now verified.</p>
          </Notice>
          <LinkButton href="/">Go to the shop</LinkButton>
        </>
      )}
      {outcome === 'link expired' && (
        <>
          <Alert takesFocus>This link is no longer valid. Use the link in the latest email.</Alert>
          <ResendEmail />
        </>
      )}
      {!outcome && <Unconfirmed onOutcome={setOutcome} />}
    </AuthLayout>
  )
}

function Unconfirmed({ onOutcome }: { onOutcome: (outcome: 'confirmed' | 'link expired') => void }) {
  const token = useEmailLinkToken()
  const session = useSession()
  const location = useLocation()
  if (token === undefined || session.status === 'loading') return <PartSpinner className="size-8" />
  if (token === '') {
    return (
      <>
        <Alert>This link is incomplete.</Alert>
        <p>Copy the whole link from the email, or request a new one from your profile.</p>
        <LinkButton href="/dashboard">My Profile</LinkButton>
      </>
    )
  }
  if (session.status === 'signed-in') {
    const confirm = async () => {
      try {
        await verifyEmail(token)
      } catch (error) {
        if (!isLinkExpired(error)) throw error
        // The email may be verified already, as after following the link twice.
        if (!(await isEmailVerified())) return onOutcome('link expired')
      }
      // Load the user again, because a verified email may grant the admin role.
      await openSession()
      onOutcome('confirmed')
    }
    return (
      <>
        <p className="wrap-anywhere">
          Confirm that <Email email={session.user.email} /> is your email.
        </p>
        <AuthForm schema={z.object({})} fields={{}} submitLabel="Confirm email" send={confirm} />
      </>
    )
  }
  return (
    <>
      <p>Log in to the account you created with this email. If you didn't create one, ignore our email.</p>
      <Link href="/login" state={toReturnState(location)} className={buttonClass()}>
        Log in
      </Link>
    </>
  )
}
