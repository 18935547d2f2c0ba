import { stats } from '../../texts.ts'

/** Four large figures with fixed text. */
export function Stats() {
  return (
    <section aria-label="Shop statistics" className="page-width pt-14 md:pt-20">
      <dl className="grid grid-cols-2 gap-y-8 border-y-2 border-ink py-8 md:grid-cols-4 md:py-10">
        {stats.map(({ figure, label }) => (
          <div
            key={label}
            className="flex flex-col-reverse justify-end border-line px-4 md:not-first:border-l md:px-8 md:first:pl-0"
          >
            <dt className="text-quiet">{label}</dt>
            <dd className="font-display text-[clamp(2.4375rem,6vw,4.5rem)] leading-none font-bold tabular-nums">
              {figure}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
