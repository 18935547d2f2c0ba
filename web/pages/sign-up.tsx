import { Link, Navigate, useLocation } from 'react-router'
import { returnPath } from '../features/identity/return-path.ts'
import { useSession } from '../features/identity/session.ts'
import { SignUpForm } from '../features/identity/sign-up-form.tsx'
import { Door } from '../shell/door.tsx'
import { pageMeta } from '../shell/page-meta.ts'
import { showToast } from '../ui/toast.ts'

export const meta = () =>
  pageMeta('Sign Up', 'Make an account to order, and to follow what you have ordered.')

export default function SignUp() {
  const session = useSession()
  const { state } = useLocation()
  if (session.status === 'signed-in') return <Navigate to={returnPath(state)} replace />
  return (
    <Door title="Sign Up">
      <SignUpForm onSignedUp={() => showToast('success', 'Account created successfully')} />
      <p className="text-quiet">
        Already registered?{' '}
        <Link to="/login" state={state} className="font-semibold text-signal underline">
          Login
        </Link>
      </p>
    </Door>
  )
}
