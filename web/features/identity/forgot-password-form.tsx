import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ForgotPassword } from '../../../contract/customers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { requestPasswordReset } from './provider.ts'
import { letterMessage } from './sign-in-messages.ts'

/** Asks for the e-mail that the link to a new password goes to. */
export function ForgotPasswordForm({ onSent }: { onSent: () => void }) {
  const [failure, setFailure] = useState('')
  const hydrated = useHydrated()
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(ForgotPassword),
    defaultValues: { email: '' },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ email }) => {
    setFailure('')
    try {
      await requestPasswordReset(email)
      onSent()
    } catch (error) {
      setFailure(letterMessage(error))
    }
  })

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-quiet">We send you a link with which you choose a new one.</p>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...register('email')}
      />
      {failure && <Alert>{failure}</Alert>}
      <Button type="submit" busy={isSubmitting} disabled={!hydrated} className="w-full">
        Send the link
      </Button>
    </form>
  )
}
