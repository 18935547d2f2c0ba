import type { AuditEntry } from '../../../contract/audit.ts'

const empty = <span className="text-quiet">empty</span>

/** Old and new value of each changed field. */
export function FieldChanges({ changes }: { changes: NonNullable<AuditEntry['changes']> }) {
  return (
    <dl className="mt-1 text-sm font-normal">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="wrap-anywhere">
          <dt className="inline text-quiet">{field}: </dt>
          <dd className="inline">
            {before !== undefined && (
              <>
                <del className="line-clamp-3 inline text-quiet">{toValue(field, before)}</del> →{' '}
              </>
            )}
            {after === undefined ? empty : toValue(field, after)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Formats a value; texts are cut after 120 characters. */
function toValue(field: string, value: string): string {
  if (field === 'price') return `$${Number(value).toLocaleString('en-US')}`
  return value.length > 120 ? `${value.slice(0, 120)}…` : value
}
