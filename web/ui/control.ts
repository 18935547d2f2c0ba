/** The look of everything that one types into or chooses from. */
export const controlClass = `w-full rounded-control border border-edge bg-surface px-3 text-base text-ink
  placeholder:text-quiet hover:border-ink aria-invalid:border-bad aria-invalid:outline-bad
  disabled:bg-shade disabled:text-quiet`

/** The same for a list to choose from, with room for its arrow. */
export const selectClass = `${controlClass} pr-9`
