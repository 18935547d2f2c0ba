import { useState } from 'react'
import { isLinkOver, ResendEmail, useEmailLinkToken } from '../features/identity/email-link.tsx'
import { isEmailVerified, verifyEmail } from '../features/identity/provider.ts'
import { toReturnState, useSession } from '../features/identity/session.ts'
import { openSession } from '../features/identity/session-actions.ts'
import { authMessage } from '../features/identity/sign-in-messages.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link, useLocation } from '../router/router.tsx'
import { Alert, Notice } from '../ui/alert.tsx'
import { Button, buttonClass, LinkButton } from '../ui/button.tsx'
import { Email } from '../ui/email.tsx'
import { Spinner } from '../ui/spinner.tsx'

export const meta = () => ({ title: 'Confirm your email' })

export default function VerifyEmail() {
  const [confirmed, setConfirmed] = useState(false)
  return (
    <AuthLayout title="Confirm email">
      {confirmed ? <Confirmed /> : <Unconfirmed onConfirmed={() => setConfirmed(true)} />}
    </AuthLayout>
  )
}

function Unconfirmed({ onConfirmed }: { onConfirmed: () => void }) {
  const token = useEmailLinkToken()
  const session = useSession()
  const location = useLocation()
  if (token === undefined || session.status === 'loading') return <Spinner className="size-8" />
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
    return <ConfirmEmail token={token} email={session.user.email} onConfirmed={onConfirmed} />
  }
  return (
    <>
      <p>Log in to the account you created with this email. If you didn't create one, ignore our email.</p>
      <Link href="/login" state={toReturnState(location)} className={buttonClass()}>
        Login
      </Link>
    </>
  )
}

function Confirmed() {
  return (
    <>
      <Notice title="Email confirmed">
        <p>Your email address is now verified.</p>
      </Notice>
      <LinkButton href="/">Go to the shop</LinkButton>
    </>
  )
}

interface ConfirmEmailProps {
  token: string
  /** Email of the signed-in user. */
  email: string
  onConfirmed: () => void
}

/** Confirms the email of the signed-in user. */
function ConfirmEmail({ token, email, onConfirmed }: ConfirmEmailProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  const confirm = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await verifyEmail(token).catch(ignoreRepeat)
      // Load the user again, because a verified email may grant the admin role.
      await openSession()
      onConfirmed()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <p className="wrap-anywhere">
        Confirm that <Email email={email} /> is your email.
      </p>
      {failure !== null && <Alert>{authMessage(failure)}</Alert>}
      {isLinkOver(failure) ? (
        <ResendEmail />
      ) : (
        <Button busy={busy} onClick={confirm} className="w-full">
          Confirm email
        </Button>
      )}
    </>
  )
}

/** Ignores LINK_OVER if the email is verified already, as after following the link twice. */
async function ignoreRepeat(error: unknown): Promise<void> {
  if (!isLinkOver(error) || !(await isEmailVerified())) throw error
}
