import { useState } from 'react'
import { SignIn } from '../../contract/customers.ts'
import { ApiError } from '../api.ts'
import { OrderWithoutAccount } from '../features/cart/order-without-account.tsx'
import { AuthForm, emailField } from '../features/identity/auth-form.tsx'
import { GoogleButton } from '../features/identity/google-button.tsx'
import { signIn } from '../features/identity/provider.ts'
import { SecondStep } from '../features/identity/second-step.tsx'
import { hasEnded, returnPath, useSession, writeSession } from '../features/identity/session.ts'
import { openSession } from '../features/identity/session-actions.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link, Redirect, useHydrated, useLocation, useSettings } from '../router/router.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Login', description: 'Log in to place and track orders.' })

export default function Login() {
  const session = useSession()
  const { state } = useLocation()
  const { google } = useSettings()
  // The server does not know where the visitor came from.
  const isHydrated = useHydrated()
  const [googleFailure, setGoogleFailure] = useState('')

  // Also true right after signing in: the user returns to the previous page.
  if (session.status === 'signed-in') {
    const { user, openStep } = session
    if (openStep === 'TWO_STEP_REQUIRED') {
      return (
        <AuthLayout title="Two-step login">
          <SecondStep onPassed={() => writeSession({ status: 'signed-in', user })} />
        </AuthLayout>
      )
    }
    return <Redirect to={openStep ? '/dashboard/security' : returnPath(state)} />
  }

  const onSignedIn = () => showToast('success', 'Successfully Logged in')
  return (
    <AuthLayout title="Login">
      {isHydrated && hasEnded(state) && <p role="status">Your session has ended. Log in to continue.</p>}
      {isHydrated && <OrderWithoutAccount from={returnPath(state)} />}
      <AuthForm
        schema={SignIn}
        fields={{
          email: emailField,
          password: { label: 'Password', type: 'password', autoComplete: 'current-password' },
        }}
        submitLabel="Login"
        failureMessage="Login failed"
        limitHint={
          <>
            {' Forgot your password? '}
            <Link href="/forgot-password" state={state} className="font-semibold underline">
              Reset it
            </Link>
            .
          </>
        }
        send={async (credentials) => {
          setGoogleFailure('')
          await signIn(credentials).catch((error: unknown) => {
            if (error instanceof ApiError && error.code === 'NO_ACCOUNT') showToast('warning', error.message)
            throw error
          })
          await openSession()
          onSignedIn()
        }}
      />
      <Link
        href="/forgot-password"
        state={state}
        className="-my-2 flex min-h-11 items-center self-start font-semibold text-signal underline"
      >
        Forgot password?
      </Link>
      {google !== 'off' && (
        <>
          <p className="flex items-center gap-3 text-sm text-quiet before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
            or
          </p>
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
