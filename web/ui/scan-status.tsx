import { type ReactNode, useState } from 'react'
import { CheckIcon, WarningIcon } from './icons.tsx'
import { playTone } from './tone.ts'

/** The result of the last scan. */
interface ScanMessage {
  kind: 'good' | 'bad' | 'info'
  text: ReactNode
  /** Makes a repeated text a new one, which screen readers read again. */
  key: number
}

/** Returns the message of the last scan, and a function that shows the next one with a tone. */
export function useScanMessage(start: string) {
  const [message, setMessage] = useState<ScanMessage>({ kind: 'info', text: start, key: 0 })
  const say = (kind: ScanMessage['kind'], text: ReactNode) => {
    if (kind !== 'info') playTone(kind)
    setMessage(({ key }) => ({ kind, text, key: key + 1 }))
  }
  return [message, say] as const
}

const looks = {
  good: 'border-good bg-good-wash text-good',
  bad: 'border-bad bg-bad-wash text-bad',
  info: 'border-edge bg-shade text-ink',
}

/** The result of the last scan in words, with a mark. */
export const ScanStatus = ({ message: { kind, text, key } }: { message: ScanMessage }) => (
  <p
    role="status"
    className={`mt-4 flex min-h-12 items-center gap-3 rounded-control border-l-4 px-4 py-2 text-lg font-semibold ${looks[kind]}`}
  >
    {kind === 'bad' && <WarningIcon className="size-6 shrink-0" />}
    {kind === 'good' && <CheckIcon className="size-6 shrink-0" />}
    <span key={key} className="wrap-anywhere">
      {text}
    </span>
  </p>
)
