import { type FormEvent, type RefObject, useEffect } from 'react'
import { TextField } from './field.tsx'

interface ScanFormProps {
  field: RefObject<HTMLInputElement | null>
  label: string
  hint: string
  maxLength?: number
  isBusy: boolean
  className?: string
  /** Gets each code without spaces around it. The field is empty then. */
  onScan: (code: string) => void
}

/** One field for all scans. It has the focus when the page opens, and gets what a scanner types elsewhere. */
export function ScanForm({ field, label, hint, maxLength, isBusy, className, onScan }: ScanFormProps) {
  useScannerFocus(field)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!field.current) return
    const code = field.current.value.trim()
    event.currentTarget.reset()
    onScan(code)
  }
  return (
    <form onSubmit={submit} className={className}>
      <TextField
        ref={field}
        label={label}
        hint={hint}
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-busy={isBusy}
      />
    </form>
  )
}

/** Moves typed characters to the field, even if a button has the focus: a scanner's Enter then never presses it. */
function useScannerFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    field.current?.focus()
    const focus = (event: KeyboardEvent) => {
      const isTyped = event.key.length === 1 && event.key !== ' '
      const active = document.activeElement
      const isElsewhere = active?.matches('input, textarea, select') || active?.closest('dialog')
      if (isTyped && !event.ctrlKey && !event.metaKey && !event.altKey && !isElsewhere) field.current?.focus()
    }
    document.addEventListener('keydown', focus, true)
    return () => document.removeEventListener('keydown', focus, true)
  }, [field])
}
