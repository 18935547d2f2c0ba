import type { Review } from '../../../contract/reviews.ts'
import { Avatar } from '../../ui/picture.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** The fragment of the page with the review. */
export const reviewAnchor = (id: string): string => `review-${id}`

export function ReviewGrid({ reviews }: { reviews: Review[] }) {
  if (reviews.length === 0) {
    return <EmptyState title="No reviews yet">Customer reviews will appear here.</EmptyState>
  }
  return (
    <ul className="grid gap-4 md:grid-cols-2 md:gap-6 lg:grid-cols-3">
      {reviews.map((review) => (
        <li key={review._id} id={reviewAnchor(review._id)}>
          <ReviewCard review={review} />
        </li>
      ))}
    </ul>
  )
}

/** Text of a review with its author. */
function ReviewCard({ review }: { review: Review }) {
  return (
    <figure className="flex h-full flex-col justify-between gap-6 rounded-card border border-line bg-surface p-6">
      <blockquote className="wrap-anywhere whitespace-pre-line">
        <p>{review.review}</p>
      </blockquote>
      <figcaption className="flex items-center gap-3">
        <Avatar photo={review.avatar} size={48} lazy className="size-12 rounded-full" />
        <span className="min-w-0">
          <span className="block font-display text-lg leading-6 font-bold wrap-anywhere">{review.name}</span>
          <span className="block text-sm wrap-anywhere text-quiet">{review.designation}</span>
        </span>
      </figcaption>
    </figure>
  )
}
