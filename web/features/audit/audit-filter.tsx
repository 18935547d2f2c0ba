import type { FormEvent } from 'react'
import { auditAreas } from '../../../contract/audit.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { areaNames } from './audit-labels.ts'
import type { AuditFilters, AuditParams } from './audit-params.ts'

/** Filter form of the audit list. */
export function AuditFilter({ params }: { params: AuditParams }) {
  const { filters, filter, isFiltered } = params
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const value = (name: keyof AuditFilters) => {
      const text = typed.get(name)
      return typeof text === 'string' ? text.trim() : ''
    }
    filter({
      area: value('area'),
      by: value('by'),
      subject: value('subject'),
      from: value('from'),
      to: value('to'),
    })
  }
  return (
    <search>
      <form
        key={JSON.stringify(filters)}
        onSubmit={submit}
        className="mb-6 grid gap-4 rounded-card border border-line bg-surface p-4 xs:grid-cols-2 md:grid-cols-3"
      >
        <SelectField label="Kind" name="area" defaultValue={filters.area}>
          <option value="">Everything</option>
          {auditAreas.map((area) => (
            <option key={area} value={area}>
              {areaNames[area]}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Changed by"
          name="by"
          defaultValue={filters.by}
          hint="Email, or “shop” for the system"
        />
        <TextField
          label="Item"
          name="subject"
          defaultValue={filters.subject}
          hint="Order, product or email"
        />
        <TextField label="From" name="from" type="date" defaultValue={filters.from} />
        <TextField label="To" name="to" type="date" defaultValue={filters.to} />
        <div className="flex flex-wrap items-start justify-end gap-3 max-md:col-span-full md:pt-6">
          {isFiltered && (
            <LinkButton href="?" variant="quiet">
              Clear filters
            </LinkButton>
          )}
          <Button type="submit" variant="ink">
            Filter
          </Button>
        </div>
      </form>
    </search>
  )
}
