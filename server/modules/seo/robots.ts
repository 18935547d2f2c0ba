/** Paths with personal data or for programs. */
const closed = ['/api/', '/dashboard', '/purchase/', '/idp/', '/sandbox/']

/** Returns the content of robots.txt. */
export const robots = (origin: string): string =>
  [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
