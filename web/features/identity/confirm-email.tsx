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
  /** Of whoever is signed in. */
  email: string
  onConfirmed: () => void
}

/** Confirms the email of whoever is signed in. */
export function ConfirmEmail({ token, email, onConfirmed }: ConfirmEmailProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  const confirm = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await verifyEmail(token).catch(ignoreRepeat)
      // What the shop knows of whom it serves, with what a confirmed email opens.
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
        Is <Email email={email} /> yours? You are signed in with it.
      </p>
      {failure !== null && <Alert>{emailMessage(failure)}</Alert>}
      {failure instanceof SignInError && failure.code === 'LINK_OVER' ? (
        <ResendEmail />
      ) : (
        <Button busy={busy} onClick={confirm} className="w-full">
          Confirm my e-mail
        </Button>
      )}
    </>
  )
}

/** Whoever follows a link twice has confirmed it once. */
async function ignoreRepeat(error: unknown): Promise<void> {
  const isOver = error instanceof SignInError && error.code === 'LINK_OVER'
  if (!isOver || !(await isEmailVerified())) throw error
}
