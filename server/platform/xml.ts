/** What XML 1.0 has no way to say: most control characters, halves of characters, and two that are none. */
const unsayable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text as XML shows it, in an element or a quoted attribute. What XML cannot say is left out. */
function escapeXml(text: string): string {
  return text.replaceAll(unsayable, '').replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** An element that holds a text, or none if there is no text. */
export const element = (name: string, text: string | null | undefined): string =>
  text ? `<${name}>${escapeXml(text)}</${name}>` : ''
