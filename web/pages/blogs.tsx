import { formatUtcDate } from '../../contract/dates.ts'
import type { LoaderData, loadBlogs } from '../loaders/content.ts'
import { ProductImage } from '../product-image.tsx'
import type { PageProps } from '../router/page.ts'
import { categoryFallback } from '../texts.ts'
import { LinkButton } from '../ui/button.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PagesNav } from '../ui/pages-nav.tsx'
import { EmptyState } from '../ui/states.tsx'

/** Shown until the first post of the shop is visible. They are not stored and have no pages. */
const placeholders: Post[] = [
  {
    title: 'Chain tension in five minutes, without a lift',
    text: 'Push the bike until the chain is at its tightest, measure in the middle of the lower run, and leave the slack that the swing-arm sticker asks for.',
    date: '12 March 2026',
    category: categoryFallback,
  },
  {
    title: 'How old is too old for a tyre?',
    text: 'The four digits after DOT are week and year. After five years, check for cracks between the tread blocks. After ten, replace the tyre.',
    date: '2 April 2026',
    category: categoryFallback,
  },
  {
    title: 'Bedding in brake pads',
    text: 'Ten gentle stops from 60, five harder ones from 80, and a few minutes of rolling in between. The lever feels firm when they are ready.',
    date: '20 May 2026',
    category: categoryFallback,
  },
]

export const parameters = ['page'] as const

type Data = LoaderData<typeof loadBlogs>

interface Post {
  title: string
  text: string
  date: string
  category: string
  image?: string
  /** The page of the post; without it the link has no function. */
  path?: string
}

const pageLink = (page: number) => (page > 1 ? `/blogs?page=${page}` : '/blogs')

export const meta = ({ page, pages }: Data) => ({
  title: page > 1 ? `Blogs, page ${page}` : 'Blogs',
  description: 'Notes from the workshop.',
  canonical: page > pages ? undefined : pageLink(page),
})

/** The posts of the shop, or three placeholders. */
export default function Blogs({ data: { posts, hasSamples, page, pages } }: PageProps<Data>) {
  const shown: Post[] = posts.map(({ summary, publishedAt, ...post }) => ({
    ...post,
    text: summary,
    date: formatUtcDate(publishedAt),
  }))
  return (
    <div className="page-width">
      <PageHead title="Blogs" />
      {page > pages ? (
        <EmptyState
          title="No posts on this page"
          action={<LinkButton href="/blogs">Go to first page</LinkButton>}
        >
          The list has fewer pages.
        </EmptyState>
      ) : shown.length === 0 && !hasSamples ? (
        <EmptyState title="No posts yet">Posts will appear here.</EmptyState>
      ) : (
        <ul className="divide-y divide-line border-y-2 border-ink">
          {(hasSamples ? placeholders : shown).map((post) => (
            <li key={post.path ?? post.title}>
              <PostCard post={post} />
            </li>
          ))}
        </ul>
      )}
      <PagesNav page={page} pages={pages} link={pageLink} />
    </div>
  )
}

function PostCard({ post: { title, text, date, category, image, path } }: { post: Post }) {
  const more = (
    <>
      Learn More <ArrowIcon className="size-5 text-signal" />
    </>
  )
  const linkClass = 'inline-flex items-center gap-2 font-display text-lg font-semibold'
  return (
    <article className="grid gap-x-10 gap-y-3 py-8 md:grid-cols-[12rem_1fr] md:py-10">
      <div>
        {category && <p className="label text-sm text-signal">{category}</p>}
        <p className="mt-1 text-quiet">{date}</p>
        {image && (
          <div className="mt-3 max-w-48">
            <ProductImage src={image} alt="" sizes="12rem" loading="lazy" className="rounded-card" />
          </div>
        )}
      </div>
      <div className="max-w-text">
        <h2 className="font-display text-2xl font-bold wrap-anywhere md:text-3xl">
          {path ? <a href={path}>{title}</a> : title}
        </h2>
        {text && <p className="mt-3 text-lg text-quiet">{text}</p>}
        <p className="mt-4">
          {path ? (
            <a href={path} aria-label={`Learn More: ${title}`} className={linkClass}>
              {more}
            </a>
          ) : (
            // The specification's link without a function: announced as a disabled link.
            <span role="link" aria-disabled="true" className={linkClass}>
              {more}
            </span>
          )}
        </p>
      </div>
    </article>
  )
}
