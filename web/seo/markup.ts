const unsafe: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** JSON for an element that ends as a script does: no text in it may end it. */
export const jsonFor = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (sign) => unsafe[sign] ?? sign)

/**
 * A data block for machines. It is no script: the browser runs nothing of this type, and the page's policy has nothing to
 * allow.
 */
export const dataBlock = (statement: object): string =>
  `<script type="application/ld+json">${jsonFor(statement)}</script>`

/** An element that has no content. */
export const element = (tag: string, attributes: Record<string, string>): string =>
  `<${tag}${Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')}>`

/** A `meta` element, as the protocol of that name wants its key called. */
export const metaTag = (attribute: 'name' | 'property', key: string, content: string | number): string =>
  element('meta', { [attribute]: key, content: String(content) })

/** Text as it may stand in markup, also between double quotes. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
