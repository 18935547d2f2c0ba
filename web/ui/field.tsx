import { type ComponentProps, type ElementType, type ReactNode, useId } from 'react'
import { controlClass, selectClass } from './button.tsx'

interface FieldProps {
  label: string
  /** Validation message; empty if the value is valid. */
  error?: string | undefined
  hint?: ReactNode
  className?: string | undefined
}

/** A single-line field with label, hint and validation message. */
export const TextField = (props: FieldProps & ComponentProps<'input'>) => (
  <Field as="input" look={`${controlClass} h-12`} {...props} />
)

export const TextArea = (props: FieldProps & ComponentProps<'textarea'>) => (
  <Field as="textarea" look={`${controlClass} block py-2.5`} {...props} />
)

export const SelectField = (props: FieldProps & ComponentProps<'select'>) => (
  <Field as="select" look={`${selectClass} h-12`} {...props} />
)

/** A checkbox with its label. */
export const CheckboxField = ({
  label,
  className = '',
  ...attributes
}: { label: string } & ComponentProps<'input'>) => (
  <label className={`flex min-h-11 items-center gap-3 ${className}`}>
    <input {...attributes} type="checkbox" className="size-5 shrink-0 accent-signal" />
    {label}
  </label>
)

/** Label, control and notes. The control refers to the others, and gets all other attributes. */
function Field({
  as: Control,
  look,
  label,
  error,
  hint,
  className = '',
  ...attributes
}: FieldProps & { as: ElementType; look: string }) {
  const id = useId()
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold wrap-anywhere">
        {label}
      </label>
      <Control
        {...attributes}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={notes || undefined}
        className={look}
      />
      <p id={`${id}-error`} aria-live="polite" className="text-sm font-semibold text-bad not-empty:mt-1">
        {error}
      </p>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-quiet wrap-anywhere">
          {hint}
        </p>
      )}
    </div>
  )
}
