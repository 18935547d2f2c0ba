import { categoryFallback, posts } from '../texts.ts'
import { ArrowIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'

export const meta = () => ({ title: 'Blogs', description: 'Notes from the workshop.', canonical: '/blogs' })

/** Three placeholder posts. */
export default function Blogs() {
  return (
    <div className="page-width">
      <PageHead title="Blogs" />
      <ul className="divide-y divide-line border-y-2 border-ink">
        {posts.map(({ title, text, date }) => (
          <li key={title}>
            <article className="grid gap-x-10 gap-y-3 py-8 md:grid-cols-[12rem_1fr] md:py-10">
              <div>
                <p className="label text-sm text-signal">{categoryFallback}</p>
                <p className="mt-1 text-quiet">{date}</p>
              </div>
              <div className="max-w-text">
                <h2 className="font-display text-2xl font-bold md:text-3xl">{title}</h2>
                <p className="mt-3 text-lg text-quiet">{text}</p>
                {/* The specification's link without a function: announced as a disabled link. */}
                <p className="mt-4">
                  <span
                    role="link"
                    aria-disabled="true"
                    className="inline-flex items-center gap-2 font-display text-lg font-semibold"
                  >
                    Learn More <ArrowIcon className="size-5 text-signal" />
                  </span>
                </p>
              </div>
            </article>
          </li>
        ))}
      </ul>
    </div>
  )
}
