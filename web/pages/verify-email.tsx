import { useState } from 'react'
import { ConfirmEmail } from '../features/identity/confirm-email.tsx'
import { useEmailLinkToken } from '../features/identity/email-link-token.ts'
import { toReturnState } from '../features/identity/return-path.ts'
import { useSession } from '../features/identity/session.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link } from '../router/link.tsx'
import { pageMeta } from '../router/page.ts'
import { useLocation } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'

export const meta = () => pageMeta('Confirm your email')

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
