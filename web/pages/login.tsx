import { useState } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { GoogleButton } from '../features/identity/google-button.tsx'
import { returnPath } from '../features/identity/return-path.ts'
import { useSession } from '../features/identity/session.ts'
import { SignInForm } from '../features/identity/sign-in-form.tsx'
import { signInMessage } from '../features/identity/sign-in-messages.ts'
import { Door, Or } from '../shell/door.tsx'
import { pageMeta } from '../shell/page-meta.ts'
import { useSettings } from '../shell/settings.ts'
import { showToast } from '../ui/toast.ts'

export const meta = () => pageMeta('Login', 'Sign in to order, and to follow what you have ordered.')

export default function Login() {
  const session = useSession()
  const { state } = useLocation()
  const { google } = useSettings()
  const [failure, setFailure] = useState<unknown>(null)

  // Signing in makes this true as well: then one goes back to where one came from.
  if (session.status === 'signed-in') return <Navigate to={returnPath(state)} replace />

  const outcome = {
    onFailure: setFailure,
    onSignedIn: () => showToast('success', 'Successfully Logged in'),
  }
  return (
    <Door title="Login">
      <SignInForm failure={failure ? signInMessage(failure) : ''} {...outcome} />
      <Link to="/forgot-password" className="self-start font-semibold text-signal underline">
        Forgot password?
      </Link>
      {google !== 'off' && (
        <>
          <Or />
          <GoogleButton sandbox={google === 'sandbox'} {...outcome} />
        </>
      )}
      <p className="text-quiet">
        New here?{' '}
        <Link to="/signup" state={state} className="font-semibold text-signal underline">
          Sign Up
        </Link>
      </p>
    </Door>
  )
}
