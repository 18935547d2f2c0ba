/** What is for one person, or for programs: there is nothing in it to be found. */
const closed = ['/api/', '/dashboard', '/purchase/', '/idp/', '/sandbox/']

/** What crawlers are asked to leave alone, and where they find the rest. */
export const robots = (origin: string): string =>
  [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
