import type { AuditEntry } from '../../../contract/audit.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Email } from '../../ui/email.tsx'
import { formatTimestamp, kindName, piecesMoved, shortId } from './audit-labels.ts'
import { FieldChanges } from './field-changes.tsx'

const linkClass = 'text-left text-signal underline wrap-anywhere'

/** @param onOpenOrder opens the details of an order */
export function auditColumns(onOpenOrder: (id: string) => void): Column<AuditEntry>[] {
  return [
    {
      head: 'When',
      cell: (entry) => (
        <time dateTime={entry.at} className="tabular-nums md:whitespace-nowrap">
          {formatTimestamp(entry)}
        </time>
      ),
    },
    { head: 'What', names: true, cell: (entry) => <What entry={entry} onOpenOrder={onOpenOrder} /> },
    { head: 'Item', cell: (entry) => <Subject entry={entry} onOpenOrder={onOpenOrder} /> },
    { head: 'Changed by', cell: (entry) => <Who entry={entry} /> },
    {
      head: 'IP address',
      cell: ({ ip = '–' }) => (
        <span className={`text-sm tabular-nums ${ip.includes(':') ? 'break-all' : 'whitespace-nowrap'}`}>
          {ip}
        </span>
      ),
    },
  ]
}

interface CellProps {
  entry: AuditEntry
  onOpenOrder: (id: string) => void
}

function What({ entry, onOpenOrder }: CellProps) {
  const { pieces, orderId, changes } = entry
  return (
    <>
      {kindName(entry)}
      {pieces !== undefined && (
        <span className="block text-sm font-normal tabular-nums">
          {piecesMoved(pieces)}
          {orderId && (
            <>
              {' for order '}
              <OrderButton id={orderId} onOpen={onOpenOrder} />
            </>
          )}
        </span>
      )}
      {changes && changes.length > 0 && <FieldChanges changes={changes} />}
    </>
  )
}

function OrderButton({ id, onOpen }: { id: string; onOpen: (id: string) => void }) {
  return (
    <button type="button" className={linkClass} onClick={() => onOpen(id)}>
      {shortId(id)}
    </button>
  )
}

/** Name of the changed record, with links to it and to all of its changes. */
function Subject({ entry, onOpenOrder }: CellProps) {
  const { area, subject } = entry
  return (
    <>
      <span className="block wrap-anywhere">
        {area === 'orders' && subject.name}
        {area === 'roles' && <Email email={subject.name} />}
        {(area === 'stock' || area === 'products') &&
          (subject.deleted ? (
            subject.name
          ) : (
            <a href={`/dashboard/update-product/${subject.id}`} className={linkClass}>
              {subject.name}
            </a>
          ))}
      </span>
      <span className="text-sm text-quiet">
        {area === 'orders' && (
          <>{subject.deleted ? shortId(subject.id) : <OrderButton id={subject.id} onOpen={onOpenOrder} />} </>
        )}
        {subject.deleted && (area === 'orders' ? '(cancelled) ' : '(deleted) ')}
        <a href={`?${new URLSearchParams({ subject: toSubject(entry) })}`} className="underline">
          All changes<span className="sr-only"> of {subject.name}</span>
        </a>
      </span>
    </>
  )
}

const toSubject = ({ area, subject }: AuditEntry): string => (area === 'roles' ? subject.name : subject.id)

function Who({ entry: { by } }: { entry: AuditEntry }) {
  if (!by) return <span className="text-quiet">System</span>
  return (
    <>
      <Email email={by.email} />
      <span className="block text-sm text-quiet">{by.role === 'admin' ? 'Admin' : 'Customer'}</span>
    </>
  )
}
