import type { ReactNode } from 'react'
import type { QuoteLine } from '../../../contract/cart.ts'
import { FitText } from './fit-text.tsx'

interface LineFitProps {
  line: Pick<QuoteLine, 'fitKind' | 'fit'>
  /** The next step. */
  children?: ReactNode
}

/** Whether the product of a cart line fits its bike. Nothing for gear, and without a bike only for universal parts. */
export function LineFit({ line: { fitKind, fit }, children }: LineFitProps) {
  if (fit) {
    return (
      <FitText fit={fit} className="text-sm">
        {children}
      </FitText>
    )
  }
  if (fitKind !== 'universal') return null
  const universal = { answer: fitKind, bike: { name: '' }, fitments: [], versions: [] }
  return <FitText fit={universal} className="text-sm" />
}
