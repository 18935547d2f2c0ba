import { formatMoment } from '../../../contract/dates.ts'
import type { DocumentKind, DocumentStatus, LegalKind, ListedDocument } from '../../../contract/documents.ts'
import type { ChipProps } from '../../ui/chip.tsx'
import { CheckIcon, CloseIcon, WarningIcon } from '../../ui/icons.tsx'
import { ClockIcon } from '../../ui/order-icons.tsx'

export const kindNames: Record<DocumentKind, { one: string; many: string; list: string }> = {
  page: { one: 'page', many: 'Pages', list: '/dashboard/pages' },
  post: { one: 'post', many: 'Posts', list: '/dashboard/pages?kind=post' },
}

export const legalNames: Record<LegalKind, string> = {
  imprint: 'Imprint',
  terms: 'Terms',
  privacy: 'Privacy policy',
  withdrawal: 'Withdrawal',
  shipping: 'Shipping',
}

const statusNames: Record<DocumentStatus, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  published: 'Published',
  changed: 'Changes not published',
  archived: 'Archived',
}

/** Names the status, with the time at which a version becomes visible. */
export const describeStatus = ({ status, scheduledFor }: Pick<ListedDocument, 'status' | 'scheduledFor'>) =>
  scheduledFor && status !== 'archived' ? `Scheduled for ${formatMoment(scheduledFor)}` : statusNames[status]

export const statusLooks: Record<DocumentStatus, Pick<ChipProps, 'tone' | 'icon'>> = {
  draft: { tone: 'quiet', icon: WarningIcon },
  scheduled: { tone: 'wait', icon: ClockIcon },
  published: { tone: 'good', icon: CheckIcon },
  changed: { tone: 'wait', icon: ClockIcon },
  archived: { tone: 'quiet', icon: CloseIcon },
}
