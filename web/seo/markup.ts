const unsafe: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** JSON for a `<script>` element: escapes all text that could end the element. */
export const jsonFor = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (sign) => unsafe[sign] ?? sign)

/** A JSON-LD data block. The browser does not run it, so the Content-Security-Policy does not apply. */
export const dataBlock = (statement: object): string =>
  `<script type="application/ld+json">${jsonFor(statement)}</script>`

/** A `meta` element. Open Graph keys use `property`, all others `name`. */
export const metaTag = (attribute: 'name' | 'property', key: string, content: string | number): string =>
  `<meta ${attribute}="${escaped(key)}" content="${escaped(String(content))}">`

/** Escapes text for HTML content and double-quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
