import { type ComponentProps, type ReactNode, useId } from 'react'
import { controlClass, selectClass } from './button.tsx'

interface FieldProps {
  label: string
  /** Validation message; empty if the value is valid. */
  error?: string | undefined
  hint?: ReactNode
}

/** A single-line field with label, hint and validation message. */
export function TextField({
  label,
  error,
  hint,
  className = '',
  ...input
}: FieldProps & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className={className}>
      <FieldLabel id={id} label={label} />
      <input {...input} {...describe(id, error, hint)} className={`${controlClass} h-12`} />
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  )
}

export function TextArea({
  label,
  error,
  hint,
  className = '',
  ...area
}: FieldProps & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <div className={className}>
      <FieldLabel id={id} label={label} />
      <textarea
        rows={3}
        {...area}
        {...describe(id, error, hint)}
        className={`${controlClass} block py-2.5`}
      />
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  )
}

export function SelectField({
  label,
  error,
  hint,
  className = '',
  ...select
}: FieldProps & ComponentProps<'select'>) {
  const id = useId()
  return (
    <div className={className}>
      <FieldLabel id={id} label={label} />
      <select {...select} {...describe(id, error, hint)} className={`${selectClass} h-12`} />
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  )
}

function FieldLabel({ id, label }: { id: string; label: string }) {
  return (
    <label htmlFor={id} className="mb-1 block text-sm font-semibold">
      {label}
    </label>
  )
}

function describe(id: string, error: string | undefined, hint: ReactNode) {
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': notes || undefined }
}

function FieldNotes({ id, error, hint }: { id: string; error?: string | undefined; hint?: ReactNode }) {
  return (
    <>
      <p id={`${id}-error`} aria-live="polite" className="text-sm font-semibold text-bad not-empty:mt-1">
        {error}
      </p>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-quiet">
          {hint}
        </p>
      )}
    </>
  )
}
