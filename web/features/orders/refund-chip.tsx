import type { Refund } from '../../../contract/payments.ts'
import { Chip, type ChipTone } from '../../ui/chip.tsx'
import { CheckIcon, ClockIcon, WarningIcon } from '../../ui/icons.tsx'
import { refundStates } from './refund-labels.ts'

const tones: Record<Refund['status'], ChipTone> = {
  due: 'wait',
  pending: 'wait',
  succeeded: 'good',
  failed: 'bad',
}
const icons = { due: ClockIcon, pending: ClockIcon, succeeded: CheckIcon, failed: WarningIcon }

export function RefundChip({ refund: { status } }: { refund: Refund }) {
  const Icon = icons[status]
  return (
    <Chip tone={tones[status]} icon={<Icon className="size-3.5" />}>
      {refundStates[status]}
    </Chip>
  )
}
