import type { QuoteLine } from '../../../contract/cart.ts'
import { FitText } from './fit-text.tsx'

/** Whether the product of a cart line fits its bike. Nothing for gear, and without a bike only for universal parts. */
export function LineFit({ line: { fitKind, fit } }: { line: Pick<QuoteLine, 'fitKind' | 'fit'> }) {
  if (fit) return <FitText fit={fit} className="text-sm" />
  if (fitKind !== 'universal') return null
  const universal = { answer: fitKind, bike: { name: '' }, fitments: [], versions: [] }
  return <FitText fit={universal} className="text-sm" />
}
