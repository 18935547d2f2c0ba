/** Characters that XML 1.0 forbids: most control characters, lone surrogates, U+FFFE and U+FFFF. */
const unsayable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes text for an XML element or a quoted attribute, and removes forbidden characters. */
function escapeXml(text: string): string {
  return text.replaceAll(unsayable, '').replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** Returns an XML element with this text, or an empty string if the text is missing. */
export const element = (name: string, text: string | null | undefined): string =>
  text ? `<${name}>${escapeXml(text)}</${name}>` : ''
