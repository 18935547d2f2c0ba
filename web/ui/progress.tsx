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
        className="progress-bar block h-2 w-full overflow-hidden rounded-control"
      />
    </div>
  )
}
