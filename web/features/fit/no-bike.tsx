import { ChooseBike } from '../garage/bar.tsx'

export const actionClass =
  'inline-flex min-h-11 items-center font-semibold text-signal underline pointer-fine:min-h-9'

// Both stay in the document until there is a bike: a press that loads the code would lose a link that the code replaces.

/** Content of the badge without a bike. */
export const NoBike = () => (
  <p className="not-only:hidden">
    Does this fit your bike? <ChooseBike className={actionClass}>Choose your bike</ChooseBike>
  </p>
)

/** In the reserved space, unless the text is large. */
export const filterClass =
  'line-clamp-4 max-md:min-h-11 font-semibold text-balance text-signal underline wrap-anywhere md:line-clamp-1'

/** Content of the link to the parts that fit, without a bike. */
export const ChooseToFilter = () => (
  <ChooseBike className={`${filterClass} not-only:hidden!`}>
    Choose your bike to see which parts fit
  </ChooseBike>
)
