import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { NewPassword } from '../../../contract/customers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { resetPassword, SignInError } from './provider.ts'
import { loadSession } from './session-changes.ts'
import { letterMessage } from './sign-in-messages.ts'

export interface NewPasswordFormProps {
  token: string
  onChanged: () => void
  /** The link has been used, is over, or was never given. */
  onLinkOver: () => void
}

/** A new password, typed twice, under the rules of the sign-up. */
export function NewPasswordForm({ token, onChanged, onLinkOver }: NewPasswordFormProps) {
  const [failure, setFailure] = useState('')
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(NewPassword),
    mode: 'onChange',
    defaultValues: { password: '', confirmPassword: '' },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ password, confirmPassword }) => {
    setFailure('')
    if (password !== confirmPassword) return setFailure("Password did't matched")
    try {
      await resetPassword({ token, password })
      onChanged()
      // Whoever was signed in here with this account is so no more.
      void loadSession()
    } catch (error) {
      if (error instanceof SignInError && error.code === 'LINK_OVER') onLinkOver()
      else setFailure(letterMessage(error))
    }
  })

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="New Password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters"
        error={errors.password?.message}
        {...register('password')}
      />
      <TextField
        label="Confirm Password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
      {failure && <Alert>{failure}</Alert>}
      <Button type="submit" busy={isSubmitting} className="w-full">
        Change password
      </Button>
    </form>
  )
}
