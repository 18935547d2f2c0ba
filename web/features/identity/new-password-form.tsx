import { NewPassword } from '../../../contract/customers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { resetPassword, SignInError } from './provider.ts'
import { loadSession } from './session-actions.ts'
import { emailMessage, PasswordsDiffer } from './sign-in-messages.ts'

export interface NewPasswordFormProps {
  token: string
  onChanged: () => void
  /** The link has been used, is over, or was never given. */
  onLinkOver: () => void
}

/** A new password, typed twice, under the rules of the sign-up. */
export function NewPasswordForm({ token, onChanged, onLinkOver }: NewPasswordFormProps) {
  const { form, failure, formProps } = useCheckedForm({
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
      // The new password has ended the session of this account here as well.
      void loadSession()
    },
  })
  const { register } = form
  const { errors, isSubmitting } = form.formState

  return (
    <form method="post" {...formProps} className="flex flex-col gap-4">
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
      {failure !== undefined && <Alert>{emailMessage(failure)}</Alert>}
      <Button type="submit" busy={isSubmitting} className="w-full">
        Change password
      </Button>
    </form>
  )
}
