import type { Review } from '../../../contract/reviews.ts'
import blankAvatar from '../../../drawings/avatar.svg'

/** What a rider says, and which one. */
export function ReviewCard({ review }: { review: Review }) {
  return (
    <figure className="flex h-full flex-col justify-between gap-6 rounded-card border border-line bg-surface p-6">
      <blockquote className="wrap-anywhere whitespace-pre-line">
        <p>{review.review}</p>
      </blockquote>
      <figcaption className="flex items-center gap-3">
        <img
          src={review.photo || blankAvatar}
          alt=""
          width="48"
          height="48"
          loading="lazy"
          className="size-12 rounded-full object-cover"
        />
        <span className="min-w-0">
          <span className="block font-display text-lg leading-6 font-bold wrap-anywhere">{review.name}</span>
          <span className="block text-sm wrap-anywhere text-quiet">{review.designation}</span>
        </span>
      </figcaption>
    </figure>
  )
}
