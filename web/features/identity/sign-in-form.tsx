import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { SignIn } from '../../../contract/customers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { signIn } from './provider.ts'
import { openSession } from './session-changes.ts'

export interface SignInFormProps {
  failure: string
  onSignedIn: () => void
  /** Told null when a new try begins. */
  onFailure: (error: unknown) => void
}

/** E-mail and password. */
export function SignInForm({ failure, onSignedIn, onFailure }: SignInFormProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(SignIn),
    defaultValues: { email: '', password: '' },
  })
  const hydrated = useHydrated()
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async (credentials) => {
    onFailure(null)
    try {
      await signIn(credentials)
      await openSession()
      onSignedIn()
    } catch (error) {
      onFailure(error)
    }
  })

  return (
    // A form that were sent without scripts must not put the password into the address.
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
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
      {failure && <Alert>{failure}</Alert>}
      <Button type="submit" busy={isSubmitting} disabled={!hydrated} className="w-full">
        Login
      </Button>
    </form>
  )
}
