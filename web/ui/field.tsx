import { type ComponentProps, type ReactNode, useId } from 'react'
import { controlClass, selectClass } from './button.tsx'

interface FieldProps {
  label: string
  /** Validation message; empty if the value is valid. */
  error?: string | undefined
  hint?: ReactNode
  className?: string | undefined
}

/** A single-line field with label, hint and validation message. */
export const TextField = ({
  label,
  error,
  hint,
  className,
  ...input
}: FieldProps & ComponentProps<'input'>) => (
  <Field label={label} error={error} hint={hint} className={className}>
    {(attributes) => <input {...input} {...attributes} className={`${controlClass} h-12`} />}
  </Field>
)

export const TextArea = ({
  label,
  error,
  hint,
  className,
  ...area
}: FieldProps & ComponentProps<'textarea'>) => (
  <Field label={label} error={error} hint={hint} className={className}>
    {(attributes) => (
      <textarea rows={3} {...area} {...attributes} className={`${controlClass} block py-2.5`} />
    )}
  </Field>
)

export const SelectField = ({
  label,
  error,
  hint,
  className,
  ...select
}: FieldProps & ComponentProps<'select'>) => (
  <Field label={label} error={error} hint={hint} className={className}>
    {(attributes) => <select {...select} {...attributes} className={`${selectClass} h-12`} />}
  </Field>
)

/** Label, control and notes. `children` renders the control with attributes that refer to the others. */
function Field({
  label,
  error,
  hint,
  className = '',
  children,
}: FieldProps & { children: (attributes: object) => ReactNode }) {
  const id = useId()
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': notes || undefined })}
      <p id={`${id}-error`} aria-live="polite" className="text-sm font-semibold text-bad not-empty:mt-1">
        {error}
      </p>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-quiet">
          {hint}
        </p>
      )}
    </div>
  )
}
