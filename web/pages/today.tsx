import { useQuery } from '@tanstack/react-query'
import { formatMoment } from '../../contract/dates.ts'
import { hasPermission } from '../../contract/permissions.ts'
import type { Today } from '../../contract/today.ts'
import { todayQuery } from '../features/orders/queries.ts'
import { findPagePermission } from '../features/staff/pages.ts'
import { IfAllowed, usePermissions } from '../features/staff/permissions.tsx'
import { QueryError } from '../query-error.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'

export const meta = () => ({ title: 'Today' })

/** The work of the day. Each figure links to its list. */
export default function TodayPage() {
  const today = useQuery(todayQuery)
  const permissions = usePermissions()
  const isIncluded = ({ href }: CardProps) => hasPermission(permissions, findPagePermission(href))
  return (
    <>
      <PageHead title="Today">
        <IfAllowed permission="ship">
          <span className="flex flex-wrap gap-2">
            <LinkButton href="/dashboard/packing-slips">Print packing slips</LinkButton>
            <LinkButton variant="quiet" href="/dashboard/pack">
              Pack
            </LinkButton>
          </span>
        </IfAllowed>
      </PageHead>
      {today.data ? (
        <ul className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
          {listCards(today.data)
            .filter(isIncluded)
            .map((card) => (
              <Card key={card.href + card.text} {...card} />
            ))}
        </ul>
      ) : today.isError ? (
        <QueryError title="The work of today could not be loaded" query={today} />
      ) : (
        <FullSpinner />
      )}
    </>
  )
}

interface CardProps {
  count: number
  text: string
  detail?: string | undefined
  href: string
  /** Something has failed. */
  isBad?: boolean
}

function Card({ count, text, detail, href, isBad = false }: CardProps) {
  const look = count === 0 ? 'border-line' : isBad ? 'border-bad' : 'border-ink'
  return (
    <li>
      <a
        href={href}
        className={`flex h-full flex-col md:min-h-28 justify-center rounded-card border bg-surface px-5 py-4 no-underline hover:bg-shade ${look}`}
      >
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span
            className={`font-display text-3xl font-bold tabular-nums ${count === 0 ? 'text-quiet' : isBad ? 'text-bad' : ''}`}
          >
            {count.toLocaleString('en-US')}
          </span>
          <span className={`text-lg font-semibold ${count === 0 ? 'text-quiet' : ''}`}>{text}</span>
        </span>
        {detail && <span className="mt-1 text-quiet">{detail}</span>}
      </a>
    </li>
  )
}

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

/** Lists the figures, those that are zero last. */
function listCards(today: Today): CardProps[] {
  const { toShip, oldestToShip, unpaid, newOrders, failedRefunds, failedEmails, lowStock } = today
  const { returns, withdrawals } = today
  const cards: CardProps[] = [
    {
      count: toShip,
      text: 'to ship',
      detail: oldestToShip && `The oldest one was paid ${formatAge(oldestToShip)}.`,
      href: '/dashboard/manage-orders?tab=to-ship',
    },
    {
      count: failedRefunds,
      text: `${plural(failedRefunds, 'refund', 'refunds')} failed`,
      href: '/dashboard/refunds?status=failed',
      isBad: true,
    },
    {
      count: failedEmails,
      text: `${plural(failedEmails, 'email', 'emails')} failed`,
      href: '/dashboard/emails',
      isBad: true,
    },
    ...today.imports.map(({ id, kind, fileName, state, runAt, progress }) => {
      const scheduledFor = state === 'checked' && runAt ? formatMoment(runAt) : ''
      const note = state === 'importing' ? `${Math.floor(progress * 100)} %` : scheduledFor
      return {
        count: 1,
        text: scheduledFor ? 'import is scheduled' : importTexts[state],
        detail: note ? `${fileName}: ${note}` : fileName,
        isBad: state === 'failed',
        href: `/dashboard/import-products?${new URLSearchParams({ kind, import: id })}`,
      }
    }),
    {
      count: returns + withdrawals,
      text: `open ${plural(returns + withdrawals, 'return', 'returns')}`,
      detail:
        withdrawals > 0
          ? `${withdrawals} ${plural(withdrawals, 'is a withdrawal', 'are withdrawals')} from the contract`
          : undefined,
      href: '/dashboard/returns',
    },
    {
      count: lowStock,
      text: 'low in stock',
      href: '/dashboard/manage-products?low=true',
    },
    {
      count: newOrders,
      text: plural(newOrders, 'new order', 'new orders'),
      detail: 'In the last 24 hours',
      href: '/dashboard/manage-orders',
    },
    { count: unpaid, text: 'unpaid', href: '/dashboard/manage-orders?tab=unpaid' },
  ]
  return cards.toSorted((one, other) => Number(one.count === 0) - Number(other.count === 0))
}

const importTexts: Record<Today['imports'][number]['state'], string> = {
  reading: 'file is being read',
  checking: 'file is being checked',
  checked: 'file is ready to import',
  importing: 'import is running',
  failed: 'scheduled import was stopped',
}

/** Returns a text such as `3 days ago`. */
function formatAge(at: string): string {
  const hours = Math.floor((Date.now() - Date.parse(at)) / 3_600_000)
  if (hours < 1) return 'less than an hour ago'
  if (hours < 48) return `${hours} ${plural(hours, 'hour', 'hours')} ago`
  return `${Math.floor(hours / 24)} days ago`
}
