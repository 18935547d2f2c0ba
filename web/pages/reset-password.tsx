import { useState } from 'react'
import { NewPassword } from '../../contract/customers.ts'
import { useEmailLinkToken } from '../features/identity/email-link.tsx'
import { resetPassword, SignInError } from '../features/identity/provider.ts'
import { loadSession } from '../features/identity/session-actions.ts'
import { emailMessage, PasswordsDiffer } from '../features/identity/sign-in-messages.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Alert, Notice } from '../ui/alert.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { useCheckedForm } from '../ui/form.ts'
import { Spinner } from '../ui/spinner.tsx'

export const meta = () => ({ title: 'New password' })

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

interface NewPasswordFormProps {
  token: string
  onChanged: () => void
  /** Called if the link has expired, was used, or is not valid. */
  onLinkOver: () => void
}

/** Form for a new password, typed twice, with the same rules as the sign-up. */
function NewPasswordForm({ token, onChanged, onLinkOver }: NewPasswordFormProps) {
  const { field, failure, isSubmitting, formProps } = useCheckedForm({
    schema: NewPassword,
    mode: 'onChange',
    defaultValues: { password: '', confirmPassword: '' },
    async send({ password, confirmPassword }) {
      if (password !== confirmPassword) throw new PasswordsDiffer()
      try {
        await resetPassword({ token, password })
      } catch (error) {
        if (error instanceof SignInError && error.code === 'LINK_OVER') return onLinkOver()
        throw error
      }
      onChanged()
      // The reset ends all sessions of the account, including one in this browser.
      void loadSession()
    },
  })

  return (
    <form method="post" {...formProps} className="flex flex-col gap-4">
      <TextField
        label="New Password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters"
        {...field('password')}
      />
      <TextField
        label="Confirm Password"
        type="password"
        autoComplete="new-password"
        {...field('confirmPassword')}
      />
      {failure !== undefined && <Alert>{emailMessage(failure)}</Alert>}
      <Button type="submit" busy={isSubmitting} className="w-full">
        Change password
      </Button>
    </form>
  )
}
