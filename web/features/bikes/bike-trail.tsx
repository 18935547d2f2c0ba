interface Step {
  name: string
  path: string
}

/** Breadcrumb of a bike page. The last step is the page itself. */
export function BikeTrail({ trail }: { trail: Step[] }) {
  return (
    // The heading below has space of its own, which must not cover the links.
    <nav aria-label="Breadcrumb" className="relative -mb-8 pt-4 text-sm md:-mb-12 md:pt-6">
      <ol className="flex flex-wrap items-center gap-x-3">
        {trail.slice(0, -1).map(({ name, path }, index) => (
          <li key={path} className="flex items-center gap-3">
            <a
              href={path}
              className="inline-flex min-h-11 items-center font-semibold text-signal underline md:min-h-8"
            >
              {name}
            </a>
            {/* At the end, so that no line begins with it. A phone shows no last step. */}
            <span aria-hidden="true" className={index === trail.length - 2 ? 'max-md:hidden' : ''}>
              /
            </span>
          </li>
        ))}
        <li aria-current="page" className="flex items-center text-quiet max-md:hidden">
          {trail.at(-1)?.name}
        </li>
      </ol>
    </nav>
  )
}
