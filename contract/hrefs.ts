import * as z from 'zod/mini'
import { line } from './fields.ts'

const maxLength = 500

/** A path of the shop, perhaps with a query. Browsers read two slashes, or a backslash, as the name of a host. */
const path = /^\/(?![/\\])[^\s\\"'<>`]*$/

/** Returns whether a text is an `https` URL without credentials, which leak secrets and can disguise the host. */
function isHttpsUrl(text: string): boolean {
  // Longer texts are refused anyway, and `canParse` accepts some long hosts for which `URL` throws.
  if (text.length > maxLength || !/^https:\/\/[^\s\\"'<>`]+$/.test(text) || !URL.canParse(text)) return false
  const { username, password, protocol } = new URL(text)
  return protocol === 'https:' && username === '' && password === ''
}

/** Returns whether a link of the shop may lead to it: a path of the shop, or an `https` URL. */
export const isHref = (text: string): boolean => path.test(text) || isHttpsUrl(text)

/**
 * Whether a link that an admin has typed may be the `href` of an element: `https`, `http`, `mailto`, `tel`, a part of the
 * page, or a path of this shop. Browsers remove tabs and line breaks from a URL, and read `\` as `/`.
 */
export const isAllowedLink = (href: string): boolean =>
  /^(?:https?:\/\/[^/\\]|mailto:|tel:|#|\/(?![/\\]))/i.test(href) && !/[\p{Cc}\s]/u.test(href)

/** The target of a link that an admin has entered. Blank: the link has no target. */
export const href = line(maxLength).check(
  z.refine(
    (text) => text === '' || isHref(text),
    'Enter a path such as /reviews, or a URL that starts with https',
  ),
)

export const httpsUrl = line(maxLength).check(z.refine(isHttpsUrl, 'Enter a URL that starts with https'))
