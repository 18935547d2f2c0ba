import { shopName } from '../contract/shop.ts'

/** Fixed texts of the screens. The figures in them are not calculated. */

/** The same on every product page. */
export const reviewsLabel = '4 Reviews'

/** Shown on a card whose product has no category. */
export const categoryFallback = 'CATEGORY'

/** Shown for imported orders without a date. */
export const sampleDate = '1 January 2022'

export const stats = [
  { figure: '120K+', label: 'Visitors' },
  { figure: '8,400', label: 'New Users' },
  { figure: '1,200', label: 'Total Products' },
  { figure: '36K+', label: 'Successful Orders' },
]

/** Placeholder links without targets. */
export const footerColumns = [
  { title: 'Services', links: ['Fitting advice', 'Parts search', 'Restocking alerts', 'Trade orders'] },
  { title: 'Company', links: ['About us', 'Contact', 'Jobs', 'Press kit'] },
  { title: 'Legal', links: ['Terms of use', 'Privacy policy', 'Cookie policy'] },
]

export const companyLine = `${shopName}. Motorcycle parts and gear, from the bench to your door.`

/** Placeholder posts; they are not stored and have no pages. */
export const posts = [
  {
    title: 'Chain tension in five minutes, without a lift',
    text: 'Push the bike until the chain is at its tightest, measure in the middle of the lower run, and leave the slack that the swing-arm sticker asks for.',
    date: '12 March 2026',
  },
  {
    title: 'How old is too old for a tyre?',
    text: 'The four digits after DOT are week and year. After five years, check for cracks between the tread blocks. After ten, replace the tyre.',
    date: '2 April 2026',
  },
  {
    title: 'Bedding in brake pads',
    text: 'Ten gentle stops from 60, five harder ones from 80, and a few minutes of rolling in between. The lever feels firm when they are ready.',
    date: '20 May 2026',
  },
]

/** Filler text of the contact page. */
export const contactText = "Tell us what fits, what doesn't and what we should stock."

/** Title of the dialogs that cancel an order and delete a product. */
export const cancelTitle = 'You are about to cancel your order'

export const unreachableTitle = "We can't reach the shop"

/** The message of a call without a response. */
export const noAnswerText = `${unreachableTitle}. Check your connection.`

/** Returns the title of the error page for a status; 0 if the shop did not respond. */
export function errorPageTitle(status: number): string {
  if (status === 0) return unreachableTitle
  if (status === 404) return 'Page not found'
  return status === 503 ? 'The shop is temporarily unavailable' : 'Something went wrong'
}
