import { useState } from 'react'
import { NewPassword } from '../../contract/customers.ts'
import { AuthForm, confirmPasswordField, newPasswordField } from '../features/identity/auth-form.tsx'
import { isLinkExpired, useEmailLinkToken } from '../features/identity/email-link.tsx'
import { resetPassword } from '../features/identity/provider.ts'
import { loadSession } from '../features/identity/session-actions.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Alert, Notice } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PartSpinner } from '../ui/spinner.tsx'

export const meta = () => ({ title: 'New password' })

export default function ResetPassword() {
  const token = useEmailLinkToken()
  const [outcome, setOutcome] = useState<'changed' | 'link expired' | null>(null)
  return (
    <AuthLayout title="New password">
      {outcome === 'changed' && (
        <>
          <Notice title="Your password was changed">
            <p>You've been logged out on all devices. Log in with your new password.</p>
          </Notice>
          <LinkButton href="/login">Log in</LinkButton>
        </>
      )}
      {(outcome === 'link expired' || (token === '' && !outcome)) && (
        <>
          <Alert takesFocus={outcome !== null}>This link is no longer valid.</Alert>
          <p>
            Reset links work once and expire after one hour. If you have just changed your password, log in
            with the new one.
          </p>
          <div className="flex flex-wrap gap-3">
            <LinkButton href="/forgot-password">Send a new link</LinkButton>
            <LinkButton variant="quiet" href="/login">
              Log in
            </LinkButton>
          </div>
        </>
      )}
      {!outcome && token === undefined && <PartSpinner className="size-8" />}
      {!outcome && token && (
        <AuthForm
          schema={NewPassword}
          fields={{
            password: { ...newPasswordField, label: 'New Password' },
            confirmPassword: confirmPasswordField,
          }}
          checksChanges
          submitLabel="Change password"
          send={async ({ password }) => {
            try {
              await resetPassword({ token, password })
            } catch (error) {
              if (!isLinkExpired(error)) throw error
              return setOutcome('link expired')
            }
            setOutcome('changed')
            // The reset ends all sessions of the account, including one in this browser.
            void loadSession()
          }}
        />
      )}
    </AuthLayout>
  )
}
