/** Classes for text fields and selects. */
export const controlClass = `w-full rounded-control border border-edge bg-surface px-3 text-base text-ink
  placeholder:text-quiet hover:border-ink aria-invalid:border-bad aria-invalid:outline-bad
  disabled:bg-shade disabled:text-quiet`

/** Classes for a select, with space for its arrow. */
export const selectClass = `${controlClass} pr-9`
