import { useState } from 'react'
import * as z from 'zod/mini'
import { AuthForm } from '../features/identity/auth-form.tsx'
import { isLinkExpired, useEmailLinkToken } from '../features/identity/email-link.tsx'
import { confirmEmailChange, hasOtherEmail } from '../features/identity/provider.ts'
import { toReturnState, useSession } from '../features/identity/session.ts'
import { openSession } from '../features/identity/session-actions.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link, useLocation } from '../router/router.tsx'
import { Alert, Notice } from '../ui/alert.tsx'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { PartSpinner } from '../ui/spinner.tsx'

export const meta = () => ({ title: 'Confirm your new email' })

/** The page of the link that goes to the new email of an account. */
export default function ConfirmEmail() {
  const token = useEmailLinkToken()
  const session = useSession()
  const location = useLocation()
  const [outcome, setOutcome] = useState<'changed' | 'link expired' | null>(null)
  const isReady = token !== undefined && session.status !== 'loading'
  return (
    <AuthLayout title="Confirm email">
      {outcome === 'changed' && (
        <>
          <Notice title="Your email was changed">
            <p>From now on, log in with your new email.</p>
          </Notice>
          <LinkButton href="/dashboard">My Profile</LinkButton>
        </>
      )}
      {(outcome === 'link expired' || token === '') && (
        <>
          <Alert takesFocus={outcome !== null}>
            This link is no longer valid. Your email has not changed.
          </Alert>
          <LinkButton href="/dashboard/security">Security</LinkButton>
        </>
      )}
      {!outcome && !isReady && <PartSpinner className="size-8" />}
      {!outcome && isReady && token !== '' && session.status === 'signed-in' && (
        <>
          <p className="wrap-anywhere">
            The email of your account is <strong>{session.user.email}</strong> so far. Change it to the one
            that received this link?
          </p>
          <AuthForm
            schema={z.object({})}
            fields={{}}
            submitLabel="Change email"
            send={async () => {
              try {
                await confirmEmailChange(token)
              } catch (error) {
                if (!isLinkExpired(error)) throw error
                // An attempt without an answer may have changed it.
                if (!(await hasOtherEmail(session.user.email))) return setOutcome('link expired')
              }
              setOutcome('changed')
              await openSession()
            }}
          />
        </>
      )}
      {!outcome && isReady && token !== '' && session.status !== 'signed-in' && (
        <>
          <p>Log in to your account first.</p>
          <Link href="/login" state={toReturnState(location)} className={buttonClass()}>
            Log in
          </Link>
        </>
      )}
    </AuthLayout>
  )
}
