import { SignIn } from '../../../contract/customers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import { signIn } from './provider.ts'
import { openSession } from './session-actions.ts'
import { signInMessage } from './sign-in-messages.ts'

export interface SignInFormProps {
  /** Called before the credentials are sent. */
  onAttempt: () => void
  onSignedIn: () => void
}

/** Sign-in form: email and password. */
export function SignInForm({ onAttempt, onSignedIn }: SignInFormProps) {
  const { form, failure, formProps } = useCheckedForm({
    schema: SignIn,
    defaultValues: { email: '', password: '' },
    async send(credentials) {
      onAttempt()
      await signIn(credentials)
      await openSession()
      onSignedIn()
    },
  })
  const hydrated = useHydrated()
  const { register } = form
  const { errors, isSubmitting } = form.formState

  return (
    // POST, so that a submit without JavaScript does not put the password into the URL.
    <form method="post" {...formProps} className="flex flex-col gap-4">
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...register('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      {failure !== undefined && <Alert>{signInMessage(failure)}</Alert>}
      <Button type="submit" busy={isSubmitting} disabled={!hydrated} className="w-full">
        Login
      </Button>
    </form>
  )
}
