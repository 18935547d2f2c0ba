import { formatUtcDate } from '../../contract/dates.ts'
import { DocumentText } from '../features/content/document-text.tsx'
import type { LoaderData, loadDocument } from '../loaders/content.ts'
import { ProductImage } from '../product-image.tsx'
import type { PageProps } from '../router/page.ts'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'

type Data = LoaderData<typeof loadDocument>

export const meta = (data: Data) =>
  data === null || data === 'gone'
    ? { title: 'Page not found' }
    : {
        title: data.title,
        description: data.summary || `${data.title}.`,
        canonical: data.path,
      }

/** A page or a post that the dealer has written. */
export default function Document({ data }: PageProps<Data>) {
  if (data === null || data === 'gone') return <Missing isGone={data === 'gone'} />
  const isPost = data.kind === 'post'
  return (
    <article className="page-width pb-12">
      <header className="pt-8 pb-6 md:pt-12 md:pb-8">
        {isPost && (
          <p className="mb-2 flex flex-wrap gap-x-4 text-quiet">
            {data.category && <span className="label text-signal">{data.category}</span>}
            <time dateTime={data.publishedAt}>{formatUtcDate(data.publishedAt)}</time>
          </p>
        )}
        <h1 className="torque-stripe max-w-wide font-display text-3xl font-bold wrap-anywhere md:text-4xl">
          {data.title}
        </h1>
        {isPost && data.summary && <p className="mt-4 max-w-text text-lg text-quiet">{data.summary}</p>}
      </header>
      {data.image && (
        <div className="mb-8 max-w-text">
          <ProductImage
            src={data.image}
            alt=""
            sizes="(min-width: 48rem) 44rem, 100vw"
            className="rounded-card"
          />
        </div>
      )}
      <DocumentText html={data.html} />
      {isPost && (
        <p className="mt-10">
          <LinkButton href="/blogs" variant="quiet">
            All posts
          </LinkButton>
        </p>
      )}
    </article>
  )
}

const Missing = ({ isGone }: { isGone: boolean }) => (
  <div className="page-width py-16">
    <EmptyState
      wholePage
      title={isGone ? 'This page is no longer available' : 'Page not found'}
      action={<LinkButton href="/">Back to homepage</LinkButton>}
    >
      {isGone ? 'The shop has removed it.' : 'Check the spelling of the address.'}
    </EmptyState>
  </div>
)
