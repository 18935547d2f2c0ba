import { ReviewGrid } from '../features/reviews/review-grid.tsx'
import type { LoaderData } from '../loaders/loader.ts'
import type { loadReviews } from '../loaders/reviews.ts'
import { type PageHandle, type PageProps, pageMeta } from '../router/page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'

export const handle: PageHandle = { parameters: [], canonical: '/reviews' }

export const meta = () => pageMeta('Reviews', 'What riders say about their parts and gear.')

export default function Reviews({ data: { reviews } }: PageProps<LoaderData<typeof loadReviews>>) {
  return (
    <div className="page-width">
      <PageHead title="Reviews" />
      {reviews.length > 0 ? (
        <ReviewGrid reviews={reviews} />
      ) : (
        <EmptyState title="No reviews yet">Customer reviews will appear here.</EmptyState>
      )}
    </div>
  )
}
