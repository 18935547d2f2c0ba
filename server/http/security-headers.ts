import type { FastifyInstance } from 'fastify'
import { mapHost } from '../../contract/shop.ts'

const year = 365 * 24 * 60 * 60

/**
 * Returns the headers of every response.
 *
 * @param origin the public origin of the shop
 */
export function fixedHeaders(origin: string): Record<string, string> {
  return {
    // Pages replace this policy: see `contentSecurityPolicy`.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // With `same-origin`, the page loses its reference to the sign-in popup.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), usb=(), payment=(self "https://js.stripe.com")',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    // For browsers that do not support `frame-ancestors`.
    'x-frame-options': 'DENY',
    // No includeSubDomains: other hosts of the domain may not belong to the shop.
    ...(origin.startsWith('https:') && { 'strict-transport-security': `max-age=${year}` }),
  }
}

export function addSecurityHeaders(app: FastifyInstance, origin: string): void {
  const headers = fixedHeaders(origin)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

interface PagePolicy {
  /** Hashes of the allowed inline scripts, as `sha256-…`. */
  scripts: string[]
  /** Hashes of the allowed inline styles. */
  styles: string[]
  /** Whether the shop has HTTPS, so that pages must not load pictures without it. */
  isSecure: boolean
  /** Whether payments use the real Stripe, not the sandbox. */
  stripe: boolean
  /** Whether Vite serves the page: it injects scripts and styles, and uses a WebSocket. */
  development: boolean
}

/**
 * Returns the Content-Security-Policy of all pages. They share one, because the router replaces pages within a document:
 * each must allow the map of the contact page.
 */
export function contentSecurityPolicy({
  scripts,
  styles,
  isSecure,
  stripe,
  development,
}: PagePolicy): string {
  const stripeScripts = stripe ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : []
  // Browsers ignore `unsafe-inline` if the list contains a hash.
  const inline = development ? ["'unsafe-inline'"] : []
  const toSources = (hashes: string[]) => hashes.map((hash) => `'${hash}'`)
  const directives = [
    ["default-src 'self'"],
    ["script-src 'self'", ...(development ? inline : toSources(scripts)), ...stripeScripts],
    ["style-src 'self'", ...(development ? inline : toSources(styles))],
    // Pictures of products may be URLs that an admin has entered. The shop serves customers' pictures itself.
    ["img-src 'self' data: https:", ...(isSecure ? [] : ['http:'])],
    [
      "connect-src 'self'",
      ...(development ? ['ws:'] : []),
      ...(stripe ? ['https://api.stripe.com'] : []),
      mapHost,
    ],
    ["frame-src 'self'", ...stripeScripts, ...(stripe ? ['https://hooks.stripe.com'] : []), mapHost],
    ["object-src 'none'"],
    ["base-uri 'none'"],
    ["form-action 'self'"],
    ["frame-ancestors 'none'"],
  ]
  return directives.map((sources) => sources.join(' ')).join('; ')
}
