interface Step {
  name: string
  path: string
}

/** Breadcrumb of a page of bikes. The last step is the page itself. */
export function BikeTrail({ trail }: { trail: Step[] }) {
  return (
    <nav aria-label="Breadcrumb" className="pt-4 text-sm md:pt-6">
      <ol className="flex flex-wrap items-center gap-x-3">
        {trail.map(({ name, path }, index) => (
          <li key={path} className="flex items-center gap-3">
            {index > 0 && <span aria-hidden="true">/</span>}
            {index === trail.length - 1 ? (
              <span aria-current="page" className="inline-flex min-h-11 items-center text-quiet md:min-h-8">
                {name}
              </span>
            ) : (
              <a
                href={path}
                className="inline-flex min-h-11 items-center font-semibold text-signal underline md:min-h-8"
              >
                {name}
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
