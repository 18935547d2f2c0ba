import { StarIcon } from './icons.tsx'

/** Always five stars, because the label next to them is fixed. */
export function Stars() {
  return (
    <span className="flex gap-0.5 text-wait" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((star) => (
        <StarIcon key={star} />
      ))}
    </span>
  )
}
