import { ReviewGrid } from '../features/reviews/review-grid.tsx'
import type { LoaderData, loadReviews } from '../loaders/loaders.ts'
import type { PageProps } from '../router/page.ts'
import { PageHead } from '../ui/page-head.tsx'

export const meta = () => ({
  title: 'Reviews',
  description: 'What riders say about their parts and gear.',
  canonical: '/reviews',
})

export default function Reviews({ data: { reviews } }: PageProps<LoaderData<typeof loadReviews>>) {
  return (
    <div className="page-width">
      <PageHead title="Reviews" />
      <ReviewGrid reviews={reviews} />
    </div>
  )
}
