import { brand } from '../texts.ts'

/** What a page's `meta` answers: its title, and what it holds for search engines. */
export function pageMeta(title: string, description?: string) {
  const named = { title: `${title} · ${brand}` }
  return description ? [named, { name: 'description', content: description }] : [named]
}
