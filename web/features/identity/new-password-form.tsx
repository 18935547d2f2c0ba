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
  /** Called if the link has expired, was used, or is not valid. */
  onLinkOver: () => void
}

/** Form for a new password, typed twice, with the same rules as the sign-up. */
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
      // The reset ends all sessions of the account, including one in this browser.
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
