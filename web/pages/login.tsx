import { useState } from 'react'
import { SignIn } from '../../contract/customers.ts'
import { GoogleButton } from '../features/identity/google-button.tsx'
import { signIn } from '../features/identity/provider.ts'
import { returnPath, useSession } from '../features/identity/session.ts'
import { openSession } from '../features/identity/session-actions.ts'
import { signInMessage } from '../features/identity/sign-in-messages.ts'
import { AuthLayout, Divider } from '../layouts/auth-layout.tsx'
import { Link, Redirect, useHydrated, useLocation, useSettings } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { useCheckedForm } from '../ui/form.ts'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Login', description: 'Log in to place and track orders.' })

export default function Login() {
  const session = useSession()
  const { state } = useLocation()
  const { google } = useSettings()
  const [googleFailure, setGoogleFailure] = useState<unknown>(null)

  // Also true right after signing in: the user returns to the previous page.
  if (session.status === 'signed-in') return <Redirect to={returnPath(state)} />

  const onSignedIn = () => showToast('success', 'Successfully Logged in')
  return (
    <AuthLayout title="Login">
      <SignInForm onAttempt={() => setGoogleFailure(null)} onSignedIn={onSignedIn} />
      <Link href="/forgot-password" state={state} className="self-start font-semibold text-signal underline">
        Forgot password?
      </Link>
      {google !== 'off' && (
        <>
          <Divider />
          <GoogleButton
            sandbox={google === 'sandbox'}
            failure={googleFailure}
            onSignedIn={onSignedIn}
            onFailure={setGoogleFailure}
          />
        </>
      )}
      <p className="text-quiet">
        New here?{' '}
        <Link href="/signup" state={state} className="font-semibold text-signal underline">
          Sign Up
        </Link>
      </p>
    </AuthLayout>
  )
}

interface SignInFormProps {
  /** Called before the credentials are sent. */
  onAttempt: () => void
  onSignedIn: () => void
}

/** Sign-in form: email and password. */
function SignInForm({ onAttempt, onSignedIn }: SignInFormProps) {
  const { field, failure, isSubmitting, formProps } = useCheckedForm({
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

  return (
    // POST, so that a submit without JavaScript does not put the password into the URL.
    <form method="post" {...formProps} className="flex flex-col gap-4">
      <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
      <TextField label="Password" type="password" autoComplete="current-password" {...field('password')} />
      {failure !== undefined && <Alert>{signInMessage(failure)}</Alert>}
      <Button type="submit" busy={isSubmitting} disabled={!hydrated} className="w-full">
        Login
      </Button>
    </form>
  )
}
