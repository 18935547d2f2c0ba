import { useState } from 'react'
import { SignUp } from '../../contract/customers.ts'
import { setDisplayName, signUp } from '../features/identity/provider.ts'
import { returnPath, useSession } from '../features/identity/session.ts'
import { openSession } from '../features/identity/session-actions.ts'
import { PasswordsDiffer, signUpMessage } from '../features/identity/sign-in-messages.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link, Redirect, useHydrated, useLocation } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { useCheckedForm } from '../ui/form.ts'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Sign Up', description: 'Create an account to place and track orders.' })

export default function SignUpPage() {
  const session = useSession()
  const { state } = useLocation()
  if (session.status === 'signed-in') return <Redirect to={returnPath(state)} />
  return (
    <AuthLayout title="Sign Up">
      <SignUpForm onSignedUp={() => showToast('success', 'Account created successfully')} />
      <p className="text-quiet">
        Already registered?{' '}
        <Link href="/login" state={state} className="font-semibold text-signal underline">
          Login
        </Link>
      </p>
    </AuthLayout>
  )
}

/** Sign-up form: name, email and a password typed twice. */
function SignUpForm({ onSignedUp }: { onSignedUp: () => void }) {
  const [isCreated, setCreated] = useState(false)
  const hydrated = useHydrated()
  const { field, failure, isSubmitting, formProps } = useCheckedForm({
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

  return (
    <form method="post" {...formProps} className="flex flex-col gap-4">
      <TextField label="Name" autoComplete="name" {...field('name')} />
      <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
      <TextField
        label="Password"
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
