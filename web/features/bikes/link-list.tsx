import type { ReactNode } from 'react'

interface LinkListProps {
  links: { path: string; name: string; note?: ReactNode }[]
  /** More links side by side, for short names. */
  narrow?: boolean
}

/** Links side by side, each with a note below its name. */
export function LinkList({ links, narrow = false }: LinkListProps) {
  const columns = narrow
    ? 'grid-cols-3 xs:grid-cols-5 lg:grid-cols-7'
    : 'grid-cols-2 md:grid-cols-3 lg:grid-cols-4'
  return (
    <ul className={`grid gap-3 ${columns}`}>
      {links.map(({ path, name, note }) => (
        <li key={path}>
          <a
            href={path}
            className="flex h-full min-h-14 flex-col justify-center rounded-card border border-line bg-surface px-4 py-3
              wrap-anywhere hover:border-ink"
          >
            <span className="font-semibold">{name}</span>
            {note && <span className="text-sm text-quiet tabular-nums">{note}</span>}
          </a>
        </li>
      ))}
    </ul>
  )
}
