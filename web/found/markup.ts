const unsafe: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/**
 * A data block for machines. It is no script (the browser runs nothing of this type, and the page's policy has nothing to
 * allow), but it ends as one does: no text in it may end it.
 */
export function dataBlock(statement: object): string {
  const json = JSON.stringify(statement).replaceAll(/[<>&\u2028\u2029]/g, (sign) => unsafe[sign] ?? sign)
  return `<script type="application/ld+json">${json}</script>`
}

/** A `meta` element, as the protocol of that name wants its key called. */
export const metaTag = (attribute: 'name' | 'property', key: string, content: string | number): string =>
  `<meta ${attribute}="${key}" content="${escaped(String(content))}"/>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
