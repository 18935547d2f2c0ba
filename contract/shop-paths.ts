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
  '/join',
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

/** The normalised form of a path, in which redirects are stored: decoded, in NFC and lower case, without a trailing slash. */
export function normalizePath(path: string): string {
  const decoded = decode(path).normalize('NFC').toLowerCase()
  // No pattern such as /\/+$/: it would read a long path with many slashes thousands of times.
  let end = decoded.length
  while (end > 1 && decoded[end - 1] === '/') end--
  return decoded.slice(0, end)
}

/** Encoded control characters stay: the database stores no NUL. */
function decode(path: string): string {
  try {
    const decoded = decodeURIComponent(path)
    return /\p{Cc}/u.test(decoded) ? path : decoded
  } catch {
    return path
  }
}
