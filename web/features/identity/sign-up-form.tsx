import { useState } from 'react'
import { SignUp } from '../../../contract/customers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import { setDisplayName, signUp } from './provider.ts'
import { openSession } from './session-actions.ts'
import { PasswordsDiffer, signUpMessage } from './sign-in-messages.ts'

/** Sign-up form: name, email and a password typed twice. */
export function SignUpForm({ onSignedUp }: { onSignedUp: () => void }) {
  const [isCreated, setCreated] = useState(false)
  const hydrated = useHydrated()
  const { form, failure, formProps } = useCheckedForm({
    schema: SignUp,
    mode: 'onChange',
    defaultValues: { name: '', email: '', password: '', confirmPassword: '' },
    async send({ name, email, password, confirmPassword }) {
      setCreated(false)
      if (password !== confirmPassword) throw new PasswordsDiffer()
      await signUp({ email, password, name })
      setCreated(true)
      await setDisplayName(name)
      await openSession()
      onSignedUp()
    },
  })
  const { register } = form
  const { errors, isSubmitting } = form.formState

  return (
    <form method="post" {...formProps} className="flex flex-col gap-4">
      <TextField label="Name" autoComplete="name" error={errors.name?.message} {...register('name')} />
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
      {failure !== undefined && (
        <Alert>
          {signUpMessage(failure)}
          {isCreated && '. Your account was created. Please log in.'}
        </Alert>
      )}
      <Button type="submit" busy={isSubmitting} disabled={!hydrated} className="w-full">
        Sign Up
      </Button>
    </form>
  )
}
