import { StarIcon } from './icons.tsx'

/** Five stars, always: they belong to a fixed label. */
export function Stars() {
  return (
    <span className="flex gap-0.5 text-wait" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((star) => (
        <StarIcon key={star} />
      ))}
    </span>
  )
}
