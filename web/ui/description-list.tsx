import type { ReactNode } from 'react'

interface DescriptionItem {
  name: string
  value: ReactNode
}

/** A `<dl>` of names and values. Items without a value are left out. Renders nothing if none has one. */
export function DescriptionList({ items }: { items: DescriptionItem[] }) {
  const shown = items.filter(({ value }) => value !== undefined && value !== '')
  if (shown.length === 0) return null
  return (
    <dl className="divide-y divide-line border-y border-line">
      {shown.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap items-baseline gap-x-4 py-2.5">
          <dt className="basis-26 text-sm text-quiet md:basis-34">{name}</dt>
          <dd className="min-w-0 grow basis-20 font-semibold wrap-anywhere whitespace-pre-line tabular-nums">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
