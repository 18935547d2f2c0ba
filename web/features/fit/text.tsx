import type { ReactNode } from 'react'
import type { QuoteLine } from '../../../contract/cart.ts'
import { type FitAnswer, fitTones } from '../../../contract/fit-answer.ts'
import type { ChipProps } from '../../ui/chip.tsx'
import { CheckIcon, CloseIcon, createIcon } from '../../ui/icons.tsx'
import { type DescribedFit, describeFit } from './texts.ts'

// Not in the file of all icons, which every page loads.
const QuestionIcon = createIcon(
  'M2.5 10a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0-15 0M8 7.8a2 2 0 1 1 2.9 1.8c-.6.4-.9.8-.9 1.6M10 14v.1',
)
const RulerIcon = createIcon('M1.5 6.5h17v7h-17zM5 6.5V9M8.3 6.5v3.5M11.7 6.5V9M15 6.5v3.5')

export const fitLooks: Record<Exclude<FitAnswer, 'gear'>, Pick<ChipProps, 'tone' | 'icon'>> = {
  fits: { tone: fitTones.fits, icon: CheckIcon },
  fits_some: { tone: fitTones.fits_some, icon: QuestionIcon },
  does_not_fit: { tone: fitTones.does_not_fit, icon: CloseIcon },
  not_confirmed: { tone: fitTones.not_confirmed, icon: QuestionIcon },
  universal: { tone: fitTones.universal, icon: RulerIcon },
}

interface FitTextProps {
  fit: DescribedFit
  className?: string
  /** Classes of the text. */
  textClass?: string
  /** Whether it says what to do without an answer. */
  hasAdvice?: boolean
  /** The next steps, below the text. */
  children?: ReactNode
}

/** Whether a product fits, with the reasons. Nothing for gear. */
export function FitText({ fit, className = '', textClass = '', hasAdvice = false, children }: FitTextProps) {
  if (fit.answer === 'gear') return null
  const { tone, icon: Icon } = fitLooks[fit.answer]
  const { text, details, advice } = describeFit(fit)
  return (
    <div className={`tone-${tone} ${className}`}>
      <div className="flex gap-2">
        <Icon className="mt-0.5 size-5 shrink-0" />
        <div className={`min-w-0 wrap-anywhere ${textClass}`}>
          <p className="font-semibold">{text}</p>
          {details.map((detail) => (
            <p key={detail} className="text-ink">
              {detail}
            </p>
          ))}
          {hasAdvice && advice && <p className="text-ink">{advice}</p>}
        </div>
      </div>
      {children && <div className="flex flex-wrap items-center gap-x-4">{children}</div>}
    </div>
  )
}

interface LineFitProps {
  line: Pick<QuoteLine, 'fitKind' | 'fit'>
  /** The next step. */
  children?: ReactNode
}

const lineClass = 'rounded-control px-2 py-1 text-sm'

/** Whether the product of a cart line fits its bike. Nothing for gear, and without a bike only for universal parts. */
export function LineFit({ line: { fitKind, fit }, children }: LineFitProps) {
  if (fit) {
    return (
      <FitText fit={fit} className={lineClass} hasAdvice>
        {children}
      </FitText>
    )
  }
  if (fitKind !== 'universal') return null
  const universal = { answer: fitKind, bike: { id: 0, name: '' }, fitments: [], versions: [] }
  return <FitText fit={universal} className={lineClass} />
}
