import { useState } from 'react'
import { GoogleButton } from '../features/identity/google-button.tsx'
import { returnPath } from '../features/identity/return-path.ts'
import { useSession } from '../features/identity/session.ts'
import { SignInForm } from '../features/identity/sign-in-form.tsx'
import { AuthLayout, Divider } from '../layouts/auth-layout.tsx'
import { Link } from '../router/link.tsx'
import { pageMeta } from '../router/page.ts'
import { Redirect, useLocation, useSettings } from '../router/router.tsx'
import { showToast } from '../ui/toast.ts'

export const meta = () => pageMeta('Login', 'Log in to place and track orders.')

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
