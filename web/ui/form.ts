import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  type FieldValues,
  type Path,
  type RegisterOptions,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { refuseBadInput } from './bad-input.ts'

type Schema<Values> = z.ZodMiniType<Values, Values>

interface FormOptions<Values extends FieldValues, Result>
  extends Omit<UseFormProps<Values>, 'resolver' | 'shouldFocusError'> {
  /** Or a function that loads it, if the page needs it only for input. Loading may fail, which is the form's failure. */
  schema: Schema<Values> | (() => Promise<Schema<Values>>)
  /** Sends the valid values. An error that it throws is the form's failure. */
  send: (values: Values) => Promise<Result>
  /** Whether the fields get their default values again after a success. */
  resetOnSuccess?: boolean
}

/** Options of a field whose text may be blank. */
export const orNothing = { setValueAs: (value: string | undefined) => value || undefined }

/** Outcome of the last attempt: at most one of the two is set. */
interface Outcome<Result> {
  failure?: unknown
  result?: Result
}

/** After a lost response (status 0) or a server error it is unknown whether the values were saved. */
const isUncertain = (failure: unknown): boolean => {
  const status = (failure as { status?: number } | null)?.status
  return status === 0 || (status !== undefined && status >= 500)
}

/** Calls `onChange` with the values of a form after each change. */
export function useChangedValues<Values extends FieldValues>(
  { subscribe }: Pick<UseFormReturn<Values>, 'subscribe'>,
  onChange: (values: Values) => void,
  isOn = true,
): void {
  const report = useEffectEvent(onChange)
  useEffect(() => {
    if (!isOn) return
    return subscribe({
      formState: { values: true },
      callback: ({ name, values }) => {
        // Without a name, no value has changed.
        if (name) report(values)
      },
    })
  }, [subscribe, isOn])
}

/**
 * A form with schema validation. After a failed attempt the first invalid field is focused and scrolled into view.
 * A failure is cleared by the next edit, unless it is uncertain; a result by the next attempt.
 */
export function useCheckedForm<Values extends FieldValues, Result>({
  schema,
  send,
  resetOnSuccess = false,
  ...options
}: FormOptions<Values, Result>) {
  const ref = useRef<HTMLFormElement>(null)
  const [outcome, setOutcome] = useState<Outcome<Result>>({})
  const [isLoading, setLoading] = useState(false)
  const form = useForm<Values>({
    ...options,
    resolver:
      typeof schema === 'function'
        ? async (...input) => standardSchemaResolver(await schema())(...input)
        : standardSchemaResolver(schema),
    // The library uses the order of registration, not the order on the screen.
    shouldFocusError: false,
  })
  const { isSubmitting, submitCount } = form.formState

  const submit = async (event?: SyntheticEvent) => {
    let isSent = false
    setOutcome({})
    if (refuseBadInput(ref.current)) {
      event?.preventDefault()
      return false
    }
    if (typeof schema === 'function') {
      // `handleSubmit` does it too, but later, and it does not expect a failure of the resolver.
      event?.preventDefault()
      setLoading(true)
      try {
        await schema()
      } catch (failure) {
        setOutcome({ failure })
        return false
      } finally {
        setLoading(false)
      }
    }
    const sendValues = async (values: Values) => {
      try {
        setOutcome({ result: await send(values) })
        isSent = true
      } catch (failure) {
        setOutcome({ failure })
      }
    }
    await form.handleSubmit(sendValues)(event)
    // Reset after `handleSubmit`, which marks the form as submitted at its end.
    if (isSent && resetOnSuccess) form.reset()
    return isSent
  }

  useEffect(() => {
    if (submitCount === 0) return
    const invalid = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    invalid?.focus({ preventScroll: true })
    invalid?.scrollIntoView({ block: 'nearest' })
  }, [submitCount])

  const isDismissible = outcome.failure !== undefined && !isUncertain(outcome.failure)
  useChangedValues(form, () => setOutcome({}), isDismissible)

  /** Attributes of an input, with its validation message. The name may be a path, such as `address.city`. */
  const field = (name: Path<Values>, options?: RegisterOptions<Values>) => {
    const { error } = form.getFieldState(name, form.formState)
    return { ...form.register(name, options), error: error?.message }
  }

  // Input begins. A failure is shown when the form is sent.
  const onFocus = typeof schema === 'function' ? () => void schema().catch(() => undefined) : undefined
  const formProps = { ref, onSubmit: submit, onFocus, noValidate: true }
  return { ...outcome, form, field, isSubmitting: isSubmitting || isLoading, submit, formProps }
}
