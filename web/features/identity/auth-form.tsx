import { type ComponentProps, type ReactNode, useState } from 'react'
import type { DefaultValues, FieldValues, Path } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError } from '../../api.ts'
import { useHydrated } from '../../router/router.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { authMessage, ShownError } from './sign-in-messages.ts'

export type FieldProps = ComponentProps<typeof TextField>

export const emailField: FieldProps = { label: 'Email', type: 'email', autoComplete: 'username' }
export const newPasswordField: FieldProps = {
  label: 'Password',
  type: 'password',
  autoComplete: 'new-password',
  hint: 'At least 6 characters',
}
export const confirmPasswordField: FieldProps = {
  label: 'Confirm Password',
  type: 'password',
  autoComplete: 'new-password',
}

interface AuthFormProps<Values extends FieldValues> {
  schema: z.ZodMiniType<Values, Values>
  /** Fields in the order of the screen. */
  fields: Record<keyof Values & string, FieldProps>
  submitLabel: string
  /** Validates at each change, not only at the submit. */
  checksChanges?: boolean
  /** The specified message of an unexpected failure. */
  failureMessage?: string
  /** Follows the message about too many attempts. */
  limitHint?: ReactNode
  send: (values: Values) => Promise<void>
}

/** Form of the sign-in pages. If it has `confirmPassword`, both passwords must be equal. */
export function AuthForm<Values extends FieldValues>(props: AuthFormProps<Values>) {
  const { schema, fields, submitLabel, checksChanges = false, failureMessage, limitHint, send } = props
  const names = Object.keys(fields) as Path<Values>[]
  const hydrated = useHydrated()
  const hasPassword = names.some((name) => fields[name].type === 'password')
  const [isShown, setShown] = useState(false)
  const { field, failure, isSubmitting, formProps } = useCheckedForm<Values, void>({
    schema,
    mode: checksChanges ? 'onChange' : 'onSubmit',
    defaultValues: Object.fromEntries(names.map((name) => [name, ''])) as DefaultValues<Values>,
    async send(values) {
      if (values.confirmPassword !== undefined && values.confirmPassword !== values.password)
        throw new ShownError("Password did't matched")
      await send(values)
    },
  })
  return (
    // POST, so that a submit without JavaScript does not put the password into the URL.
    <form method="post" {...formProps} className="flex flex-col gap-4">
      {names.map((name) => (
        <TextField
          key={name}
          {...fields[name]}
          {...(isShown && fields[name].type === 'password' && { type: 'text' })}
          {...field(name)}
        />
      ))}
      {hasPassword && (
        <button
          type="button"
          className="-my-2 min-h-11 self-start text-sm font-semibold text-signal underline"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'} password
        </button>
      )}
      {failure !== undefined && (
        <Alert>
          {authMessage(failure, failureMessage)}
          {failure instanceof ApiError && failure.code === 'TOO_MANY_REQUESTS' && limitHint}
        </Alert>
      )}
      <BusyButton type="submit" busy={isSubmitting} disabled={!hydrated} className="w-full">
        {submitLabel}
      </BusyButton>
    </form>
  )
}
