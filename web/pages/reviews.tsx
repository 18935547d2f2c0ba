import { ReviewGrid } from '../features/reviews/review-grid.tsx'
import type { LoaderData, loadReviews } from '../loaders/loaders.ts'
import type { PageProps } from '../router/page.ts'
import { LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PagesNav } from '../ui/pages-nav.tsx'
import { EmptyState } from '../ui/states.tsx'

export const parameters = ['page'] as const

type Data = LoaderData<typeof loadReviews>

const pageLink = (page: number) => (page > 1 ? `/reviews?page=${page}` : '/reviews')

export const meta = ({ page, pages }: Data) => ({
  title: page > 1 ? `Reviews, page ${page}` : 'Reviews',
  description: 'What riders say about their parts and gear.',
  canonical: page > pages ? undefined : pageLink(page),
})

export default function Reviews({ data: { reviews, page, pages } }: PageProps<Data>) {
  return (
    <div className="page-width">
      <PageHead title="Reviews" />
      {page > pages ? (
        <EmptyState
          title="No reviews on this page"
          action={<LinkButton href="/reviews">Go to first page</LinkButton>}
        >
          The list has fewer pages.
        </EmptyState>
      ) : (
        <ReviewGrid reviews={reviews} />
      )}
      <PagesNav page={page} pages={pages} link={pageLink} />
    </div>
  )
}
