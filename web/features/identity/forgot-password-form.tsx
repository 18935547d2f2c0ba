import { ForgotPassword } from '../../../contract/customers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import { requestPasswordReset } from './provider.ts'
import { emailMessage } from './sign-in-messages.ts'

/** Form that requests a password reset email. */
export function ForgotPasswordForm({ onSent }: { onSent: () => void }) {
  const hydrated = useHydrated()
  const { form, failure, formProps } = useCheckedForm({
    schema: ForgotPassword,
    defaultValues: { email: '' },
    send: ({ email }) => requestPasswordReset(email).then(onSent),
  })
  const { errors, isSubmitting } = form.formState

  return (
    <form method="post" {...formProps} className="flex flex-col gap-4">
      <p className="text-quiet">We'll email you a link to choose a new password.</p>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...form.register('email')}
      />
      {failure !== undefined && <Alert>{emailMessage(failure)}</Alert>}
      <Button type="submit" busy={isSubmitting} disabled={!hydrated} className="w-full">
        Send link
      </Button>
    </form>
  )
}
