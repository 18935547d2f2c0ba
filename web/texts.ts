/** Fixed texts of the shop's screens: display only, none of it is counted or looked up. */

export const brand = 'Torque Yard'

/** Stands on every product page, whatever the product. */
export const reviewsLabel = '4 Reviews'

/** Shown on a card whose product has no category. */
export const categoryFallback = 'CATEGORY'

/** Shown for imported orders that never had a date. */
export const sampleDate = '1 January 2022'

export const stats = [
  { figure: '120K+', label: 'Visitors' },
  { figure: '8,400', label: 'New Users' },
  { figure: '1,200', label: 'Total Products' },
  { figure: '36K+', label: 'Successful Orders' },
]

/** The links of the footer lead nowhere yet. */
export const footerColumns = [
  { title: 'Services', links: ['Fitting advice', 'Parts search', 'Restocking alerts', 'Trade orders'] },
  { title: 'Company', links: ['About us', 'Contact', 'Jobs', 'Press kit'] },
  { title: 'Legal', links: ['Terms of use', 'Privacy policy', 'Cookie policy'] },
]

export const companyLine = `${brand}. Motorcycle parts and gear, from the bench to your door.`
