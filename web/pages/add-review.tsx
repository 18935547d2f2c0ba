import { useUser } from '../features/identity/session.ts'
import { ReviewForm } from '../features/reviews/review-form.tsx'
import { pageMeta } from '../router/page.ts'
import { PageHead } from '../ui/page-head.tsx'

export const meta = () => pageMeta('Add a Review')

export default function AddReview() {
  const { name } = useUser()
  return (
    <>
      <PageHead
        title="Add a Review"
        note={`It will appear on the Reviews page under ${name || 'your name'}.`}
      />
      <ReviewForm />
    </>
  )
}
