import { returnPath } from '../features/identity/return-path.ts'
import { useSession } from '../features/identity/session.ts'
import { SignUpForm } from '../features/identity/sign-up-form.tsx'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link } from '../router/link.tsx'
import { pageMeta } from '../router/page.ts'
import { Redirect, useLocation } from '../router/router.tsx'
import { showToast } from '../ui/toast.ts'

export const meta = () => pageMeta('Sign Up', 'Create an account to place and track orders.')

export default function SignUp() {
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
