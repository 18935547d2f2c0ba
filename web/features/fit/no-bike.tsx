import { ChooseBike } from '../garage/bar.tsx'

export const actionClass = 'font-semibold text-signal underline'

/** Content of the badge without a bike. */
export const NoBike = () => (
  <p>
    Does this fit your bike? <ChooseBike className={actionClass}>Choose your bike</ChooseBike>
  </p>
)

/** At most as high as the reserved space. */
export const filterClass =
  'line-clamp-2 font-semibold text-balance text-signal underline wrap-anywhere md:line-clamp-1'

/** Content of the link to the parts that fit, without a bike. */
export const ChooseToFilter = () => (
  <ChooseBike className={filterClass}>Choose your bike to see which parts fit</ChooseBike>
)
