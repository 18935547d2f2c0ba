import { landingFacets, productParameters } from '../../../contract/product-filters.ts'

/**
 * Pages with personal data, and paths for programs. A rule is a prefix: `/cart` without its end would close
 * `/cartridges` as well, which can be an old address that redirects.
 */
const closedPaths = [
  '/api/',
  '/dashboard/',
  '/dashboard$',
  '/purchase/',
  '/cart$',
  '/garage$',
  '/checkout$',
  '/order/',
  '/idp/',
  '/sandbox/',
  // Each bike has pages of its own.
  '/product/*?*bike=',
]

const isOpen = (name: string) => name === 'page' || landingFacets.some((facet) => facet === name)

/**
 * Closes all lists but the canonical ones: `noindex` does not prevent requests, and each filter link leads to
 * more lists. The longest rule that matches applies.
 */
const listRules = [
  ...[...productParameters.filter((name) => !isOpen(name)), 'range'].map(
    (name) => `Disallow: /products?${name}=`,
  ),
  'Disallow: /products?*&',
  ...landingFacets.flatMap((name) => [
    `Allow: /products?${name}=*&page=`,
    `Disallow: /products?${name}=*&*&page=`,
  ]),
]

/** Creates robots.txt, for crawlers that follow RFC 9309. */
export function createRobots(origin: string): string {
  const rules = [...closedPaths.map((path) => `Disallow: ${path}`), ...listRules]
  return `User-agent: *\n${rules.join('\n')}\n\nSitemap: ${origin}/sitemap.xml\n`
}
