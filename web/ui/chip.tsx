import type { ReactNode } from 'react'

export type ChipTone = 'good' | 'bad' | 'wait' | 'ink' | 'quiet'

const tones: Record<ChipTone, string> = {
  good: 'bg-good-wash text-good',
  bad: 'bg-bad-wash text-bad',
  wait: 'bg-wait-wash text-wait',
  ink: 'bg-ink text-white',
  quiet: 'bg-shade text-quiet',
}

/** A status label. The icon and the text carry the meaning, so it does not depend on colour. */
export function Chip({ tone, icon, children }: { tone: ChipTone; icon: ReactNode; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-control px-2 py-1 text-sm font-semibold leading-none whitespace-nowrap ${tones[tone]}`}
    >
      {icon}
      {children}
    </span>
  )
}
