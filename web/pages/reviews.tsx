import { type PageHandle, shopContext } from '../context.ts'
import { ReviewGrid } from '../features/reviews/review-grid.tsx'
import { withRetry } from '../retry.ts'
import { pageMeta } from '../shell/page-meta.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import type { Route } from './+types/reviews'

export async function loader({ context }: Route.LoaderArgs) {
  return { reviews: await context.get(shopContext).reviews() }
}

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => withRetry(serverLoader)

export const handle: PageHandle = { parameters: [], canonical: '/reviews' }

export const meta = () =>
  pageMeta('Reviews', 'What riders say about the parts and gear that they bought here.')

export default function Reviews({ loaderData: { reviews } }: Route.ComponentProps) {
  return (
    <div className="page-width">
      <PageHead title="Reviews" />
      {reviews.length > 0 ? (
        <ReviewGrid reviews={reviews} />
      ) : (
        <EmptyState title="No reviews yet">What riders say about the shop will stand here.</EmptyState>
      )}
    </div>
  )
}
