import { ReviewGrid } from '../features/reviews/review-grid.tsx'
import type { LoaderData, loadReviews } from '../loaders/loaders.ts'
import { type PageHandle, type PageProps, pageMeta } from '../router/page.ts'
import { PageHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'

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
