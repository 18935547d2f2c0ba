import { useState } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { sendVerificationEmail } from './provider.ts'
import { emailMessage } from './sign-in-messages.ts'

/** Button that sends another verification email. */
export function ResendEmail() {
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle')
  const [failure, setFailure] = useState('')

  const send = async () => {
    setState('busy')
    setFailure('')
    try {
      await sendVerificationEmail()
      setState('sent')
    } catch (error) {
      setFailure(emailMessage(error))
      setState('idle')
    }
  }

  return (
    <div className="flex flex-col items-start gap-3">
      {failure && <Alert>{failure}</Alert>}
      <p role="status" className="font-semibold empty:hidden">
        {state === 'sent' && "We've sent a new email. The link expires in 24 hours."}
      </p>
      {state !== 'sent' && (
        <Button variant="quiet" busy={state === 'busy'} onClick={send}>
          Resend email
        </Button>
      )}
    </div>
  )
}
