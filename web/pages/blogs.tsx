import { categoryFallback } from '../texts.ts'
import { ArrowIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'

/** Placeholder posts; they are not stored and have no pages. */
const posts = [
  {
    title: 'Chain tension in five minutes, without a lift',
    text: 'Push the bike until the chain is at its tightest, measure in the middle of the lower run, and leave the slack that the swing-arm sticker asks for.',
    date: '12 March 2026',
  },
  {
    title: 'How old is too old for a tyre?',
    text: 'The four digits after DOT are week and year. After five years, check for cracks between the tread blocks. After ten, replace the tyre.',
    date: '2 April 2026',
  },
  {
    title: 'Bedding in brake pads',
    text: 'Ten gentle stops from 60, five harder ones from 80, and a few minutes of rolling in between. The lever feels firm when they are ready.',
    date: '20 May 2026',
  },
]

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
