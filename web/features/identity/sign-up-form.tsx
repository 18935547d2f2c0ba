import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { SignUp } from '../../../contract/customers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { setDisplayName, signUp } from './provider.ts'
import { openSession } from './session-changes.ts'
import { signUpMessage } from './sign-in-messages.ts'

/** A new account: name, e-mail, and a password typed twice. */
export function SignUpForm({ onSignedUp }: { onSignedUp: () => void }) {
  const [failure, setFailure] = useState('')
  const hydrated = useHydrated()
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(SignUp),
    mode: 'onChange',
    defaultValues: { name: '', email: '', password: '', confirmPassword: '' },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ name, email, password, confirmPassword }) => {
    setFailure('')
    if (password !== confirmPassword) return setFailure("Password did't matched")
    let created = false
    try {
      await signUp({ email, password, name })
      created = true
      await setDisplayName(name)
      await openSession()
      onSignedUp()
    } catch (error) {
      setFailure(signUpMessage(error) + (created ? '. Your account is there: please log in.' : ''))
    }
  })

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
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
      {failure && <Alert>{failure}</Alert>}
      <Button type="submit" busy={isSubmitting} disabled={!hydrated} className="w-full">
        Sign Up
      </Button>
    </form>
  )
}
