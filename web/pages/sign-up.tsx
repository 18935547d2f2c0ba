import { SignUp } from '../../contract/customers.ts'
import {
  AuthForm,
  confirmPasswordField,
  emailField,
  newPasswordField,
} from '../features/identity/auth-form.tsx'
import { setDisplayName, signUp } from '../features/identity/provider.ts'
import { returnPath, useSession } from '../features/identity/session.ts'
import { openSession } from '../features/identity/session-actions.ts'
import { ShownError } from '../features/identity/sign-in-messages.ts'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link, Redirect, useLocation } from '../router/router.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Sign Up', description: 'Create an account to place and track orders.' })

export default function SignUpPage() {
  const session = useSession()
  const { state } = useLocation()
  if (session.status === 'signed-in') return <Redirect to={returnPath(state)} />
  return (
    <AuthLayout title="Sign Up">
      <AuthForm
        schema={SignUp}
        fields={{
          name: { label: 'Name', autoComplete: 'name' },
          email: emailField,
          password: newPasswordField,
          confirmPassword: confirmPasswordField,
        }}
        checksChanges
        submitLabel="Sign Up"
        failureMessage="Something goes wrong"
        send={createAccount}
      />
      <p className="text-quiet">
        Already registered?{' '}
        <Link href="/login" state={state} className="font-semibold text-signal underline">
          Login
        </Link>
      </p>
    </AuthLayout>
  )
}

async function createAccount({ name, email, password }: SignUp): Promise<void> {
  await signUp({ email, password, name })
  try {
    await setDisplayName(name)
    await openSession()
  } catch (cause) {
    throw new ShownError('Something goes wrong. Your account was created. Please log in.', { cause })
  }
  showToast('success', 'Account created successfully')
}
