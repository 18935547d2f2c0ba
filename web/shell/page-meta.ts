import { brand } from '../texts.ts'

/** What a page's `meta` answers: its title, and what it holds for search engines and for where it is shared. */
export function pageMeta(title: string, description?: string) {
  const titles = [{ title: `${title} · ${brand}` }, { property: 'og:title', content: title }]
  if (!description) return titles
  return [
    ...titles,
    { name: 'description', content: description },
    { property: 'og:description', content: description },
  ]
}
