import { useId } from 'react'

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
        className="block h-2 w-full appearance-none overflow-hidden rounded-control bg-line
          [&::-moz-progress-bar]:bg-signal [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-signal
          [&::-webkit-progress-value]:transition-[width] indeterminate:animate-slide
          indeterminate:bg-[linear-gradient(90deg,var(--color-line)_35%,var(--color-signal)_50%,var(--color-line)_65%)]
          indeterminate:bg-size-[300%_100%]"
      />
    </div>
  )
}
