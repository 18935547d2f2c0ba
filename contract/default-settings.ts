/** The texts of the specification that a dealer replaces in the settings of the shop. A setting that is missing has its default. */

export const defaultName = 'Torque Yard'

/** A line about the company, in the footer. */
export const defaultTagline = (name: string): string =>
  `${name}. Motorcycle parts and gear, from the bench to your door.`

/** Title and description of the home page for search engines. */
export const defaultHome = {
  title: 'Motorcycle Parts',
  description: 'Motorcycle parts and gear at clear prices: brakes, chains, tyres, helmets and more.',
}

/** The top of the home page. The longest line sets the size of the title. */
export const defaultHero = {
  lines: ['Motorcycle', 'Parts'],
  text: 'Brakes, chains, tyres and riding gear. Clear prices and live stock.',
  button: 'Read More',
  href: '/products',
}

/** Invented figures. */
export const defaultStats = [
  { figure: '120K+', label: 'Visitors' },
  { figure: '8,400', label: 'New Users' },
  { figure: '1,200', label: 'Total Products' },
  { figure: '36K+', label: 'Successful Orders' },
]

/** Placeholder links without targets. */
export const defaultFooter = [
  { title: 'Services', links: ['Fitting advice', 'Parts search', 'Restocking alerts', 'Trade orders'] },
  { title: 'Company', links: ['About us', 'Contact', 'Jobs', 'Press kit'] },
  { title: 'Legal', links: ['Terms of use', 'Privacy policy', 'Cookie policy'] },
].map(({ title, links }) => ({ title, links: links.map((label) => ({ label, href: '' })) }))

/** The place on the map of the contact page, in degrees. The drawing of the map shows it. */
export const defaultPlace = { latitude: 43.0325, longitude: -87.9185 }
