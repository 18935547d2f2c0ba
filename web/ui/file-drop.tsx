import { type ComponentProps, type DragEvent, type ReactNode, useId, useState } from 'react'
import { buttonClass } from './button.tsx'

export interface FileDropProps extends Pick<ComponentProps<'input'>, 'accept' | 'disabled'> {
  /** The button text. */
  label: string
  /** Describes the accepted files. */
  hint: string
  /** Error message for the last file. */
  error?: string | undefined
  onFile: (file: File) => void
  className?: string
  children?: ReactNode
}

/** Accepts a chosen or dropped file. The native file input stays focusable for the keyboard. */
export function FileDrop({
  label,
  hint,
  error,
  onFile,
  className = '',
  children,
  disabled,
  ...input
}: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(isOver && !disabled)
  }
  return (
    <div
      onDragEnter={drag(true)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event)
        const file = event.dataTransfer.files[0]
        if (file && !disabled) onFile(file)
      }}
      className={`rounded-card border border-dashed p-4 transition-colors
        ${over ? 'border-signal bg-shade' : 'border-edge'} ${className}`}
    >
      <label
        className={`${buttonClass('quiet')} has-focus-visible:outline-3 has-focus-visible:outline-offset-2
          has-focus-visible:outline-signal has-disabled:bg-shade has-disabled:text-quiet`}
      >
        {label}
        <input
          type="file"
          {...input}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-error ${id}-hint`}
          className="sr-only"
          onChange={({ target }) => {
            const file = target.files?.[0]
            // Reset, so that choosing the same file again fires a change event.
            target.value = ''
            if (file) onFile(file)
          }}
        />
      </label>
      <p id={`${id}-error`} aria-live="polite" className="text-sm font-semibold text-bad not-empty:mt-2">
        {error}
      </p>
      <p id={`${id}-hint`} className="mt-2 text-sm text-quiet">
        {hint}
      </p>
      {children}
    </div>
  )
}

interface ProgressProps {
  /** The running task. */
  label: string
  /** The completed share, from 0 to 1; null if unknown. */
  done: number | null
}

/** A progress bar with label and percentage. */
export function Progress({ label, done }: ProgressProps) {
  const percent = done === null ? '' : `${Math.floor(done * 100)} %`
  const id = useId()
  return (
    <div className="w-full text-sm font-semibold">
      <p className="mb-1 flex justify-between gap-4 tabular-nums">
        <span id={id}>{label}</span>
        <span className="text-quiet">{percent}</span>
      </p>
      <progress
        aria-labelledby={id}
        value={done ?? undefined}
        max={1}
        className="progress-bar block h-2 w-full overflow-hidden rounded-control"
      />
    </div>
  )
}
