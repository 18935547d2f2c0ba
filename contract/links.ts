/**
 * Whether a link that an admin has typed may be the `href` of an element: `https`, `http`, `mailto`, `tel`, a part of the
 * page, or a path of this shop. Browsers remove tabs and line breaks from a URL, and read `\` as `/`.
 */
export const isAllowedLink = (href: string): boolean =>
  /^(?:https?:\/\/[^/\\]|mailto:|tel:|#|\/(?![/\\]))/i.test(href) && !/[\p{Cc}\s]/u.test(href)

/** The normalised form of a path, in which redirects are stored: decoded, in NFC and lower case, without a trailing slash. */
export function normalizePath(path: string): string {
  const decoded = decode(path).normalize('NFC').toLowerCase()
  return decoded.length > 1 ? decoded.replace(/\/+$/, '') || '/' : decoded
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
