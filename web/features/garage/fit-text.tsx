import type { ReactNode } from 'react'
import type { FitAnswer } from '../../../contract/fit-answer.ts'
import type { ChipProps } from '../../ui/chip.tsx'
import { CheckIcon, ClockIcon, CloseIcon, WarningIcon } from '../../ui/icons.tsx'
import { type DescribedFit, describeFit } from './fit-texts.ts'

export const fitLooks: Record<Exclude<FitAnswer, 'gear'>, Pick<ChipProps, 'tone' | 'icon'>> = {
  fits: { tone: 'good', icon: CheckIcon },
  fits_some: { tone: 'wait', icon: WarningIcon },
  does_not_fit: { tone: 'bad', icon: CloseIcon },
  not_confirmed: { tone: 'wait', icon: ClockIcon },
  universal: { tone: 'quiet', icon: CheckIcon },
}

const colours: Record<ChipProps['tone'], string> = {
  good: 'text-good',
  bad: 'text-bad',
  wait: 'text-wait',
  ink: '',
  quiet: '',
}

interface FitTextProps {
  fit: DescribedFit
  className?: string
  /** The next step. */
  children?: ReactNode
}

/** Whether a product fits, with the reasons. Nothing for gear. */
export function FitText({ fit, className = '', children }: FitTextProps) {
  if (fit.answer === 'gear') return null
  const { tone, icon: Icon } = fitLooks[fit.answer]
  const { text, details } = describeFit(fit)
  return (
    <div className={`flex gap-2 ${className}`}>
      <Icon className={`mt-0.5 size-5 shrink-0 ${colours[tone]}`} />
      <div className="min-w-0 wrap-anywhere">
        <p className={fit.answer === 'fits' ? 'font-semibold' : ''}>
          {text} {children}
        </p>
        {details.map((detail) => (
          <p key={detail}>{detail}</p>
        ))}
      </div>
    </div>
  )
}
