import { normalizePath } from './links.ts'

/** Paths of pages that every shop has, with all paths below the ones that end with `/`. */
const paths = [
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/confirm-email',
  '/products',
  '/bikes',
  '/reviews',
  '/contact-us',
  '/blogs',
  '/purchase/',
  '/cart',
  '/garage',
  '/checkout',
  '/order/',
  '/withdraw',
  '/dashboard/',
  // Not pages: they have responses of their own.
  '/api/',
  '/idp/',
  '/sandbox/',
  '/pictures/',
  '/assets/',
  '/sitemaps/',
  '/feeds/',
  '/sitemap.xml',
  '/robots.txt',
  '/healthz',
  '/readyz',
]

/** Whether every shop has a page, or another response, at this path. */
export function isShopPath(path: string): boolean {
  const own = normalizePath(path)
  return own === '/' || paths.some((each) => (each.endsWith('/') ? `${own}/`.startsWith(each) : own === each))
}
