import { useState } from 'react'
import { ApiError } from '../../api.ts'
import { useHydrated, useLocation } from '../../router/router.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { isEmailVerified, sendVerificationEmail } from './provider.ts'
import { authMessage } from './sign-in-messages.ts'

/**
 * Returns the token after the `#` of an email link, empty if there is none. Undefined until hydration, because the
 * server never receives it.
 */
export function useEmailLinkToken(): string | undefined {
  const { hash } = useLocation()
  return useHydrated() ? hash.slice(1) : undefined
}

/** Whether a link has expired, was used, or is not valid. */
export const isLinkExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'LINK_OVER'

/** Whether the email of the signed-in user is verified. */
export const emailVerifiedQuery = { queryKey: ['email-verified'], queryFn: isEmailVerified }

/** Button that sends another verification email. */
export function ResendEmail() {
  const [state, setState] = useState<'ready' | 'sending' | 'sent' | { failure: unknown }>('ready')
  const send = () => {
    setState('sending')
    sendVerificationEmail().then(
      () => setState('sent'),
      (failure: unknown) => setState({ failure }),
    )
  }
  return (
    <div className="flex flex-col items-start gap-3">
      {typeof state === 'object' && <Alert>{authMessage(state.failure)}</Alert>}
      <p
        ref={state === 'sent' ? focusIfLost : undefined}
        role="status"
        tabIndex={-1}
        className="font-semibold empty:hidden"
      >
        {state === 'sent' && "We've sent a new email. The link expires in 24 hours."}
      </p>
      {state !== 'sent' && (
        <BusyButton variant="quiet" busy={state === 'sending'} onClick={send}>
          Resend email
        </BusyButton>
      )}
    </div>
  )
}

/** Link to the sandbox mailbox with the emails of the demo. */
export function MailboxNote() {
  return (
    <p className="text-sm text-quiet">
      <strong>TEST MODE.</strong> This shop does not send real email. Messages are in the{' '}
      <a href="/sandbox/mailbox" className="font-semibold text-signal underline">
        mailbox
      </a>
      .
    </p>
  )
}
