import { useState } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Email } from '../../ui/email.tsx'
import { isEmailVerified, SignInError, verifyEmail } from './provider.ts'
import { ResendEmail } from './resend-email.tsx'
import { openSession } from './session-actions.ts'
import { emailMessage } from './sign-in-messages.ts'

export interface ConfirmEmailProps {
  token: string
  /** Email of the signed-in user. */
  email: string
  onConfirmed: () => void
}

/** Confirms the email of the signed-in user. */
export function ConfirmEmail({ token, email, onConfirmed }: ConfirmEmailProps) {
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
      {failure !== null && <Alert>{emailMessage(failure)}</Alert>}
      {failure instanceof SignInError && failure.code === 'LINK_OVER' ? (
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
  const isOver = error instanceof SignInError && error.code === 'LINK_OVER'
  if (!isOver || !(await isEmailVerified())) throw error
}
