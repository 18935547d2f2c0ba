import type { FastifyInstance } from 'fastify'
import { mapHost } from '../../contract/map.ts'

const year = 365 * 24 * 60 * 60

/**
 * What is sent with every answer.
 *
 * @param origin the shop's public address
 */
export function fixedHeaders(origin: string): Record<string, string> {
  return {
    // Of whatever is no page; a page's policy is its own: see `contentSecurityPolicy`.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // `same-origin` would cut the tie to the sign-in popup.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), usb=(), payment=(self "https://js.stripe.com")',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    // For browsers that do not know `frame-ancestors`.
    'x-frame-options': 'DENY',
    // For this host alone: others below its domain are not ours to decide about.
    ...(origin.startsWith('https:') && { 'strict-transport-security': `max-age=${year}` }),
  }
}

/** Puts the fixed headers on every answer of the shop. */
export function addSecurityHeaders(app: FastifyInstance, origin: string): void {
  const headers = fixedHeaders(origin)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

export interface PagePolicy {
  /** Hashes of the inline scripts that the page may run, as `sha256-…`. */
  scripts: string[]
  /** Whether the page takes cards with the real Stripe. */
  stripe: boolean
  /** Whether Vite serves the page: it injects scripts and styles, and keeps a socket open. */
  development: boolean
}

const stripeHosts = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
}
const noHosts: typeof stripeHosts = { script: [], connect: [], frame: [] }

/**
 * The Content-Security-Policy of a page. It is the same for all pages, because a document shows one after the other: each may
 * show the contact page's map, and call its host to find out whether it can be reached.
 */
export function contentSecurityPolicy({ scripts, stripe, development }: PagePolicy): string {
  const hosts = stripe ? stripeHosts : noHosts
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    // With a hash in the list `unsafe-inline` would count for nothing.
    'script-src': [
      "'self'",
      ...(development ? ["'unsafe-inline'"] : scripts.map((hash) => `'${hash}'`)),
      ...hosts.script,
    ],
    'style-src': ["'self'", ...(development ? ["'unsafe-inline'"] : [])],
    'img-src': ["'self'", 'https:', 'http:', 'data:'],
    'connect-src': ["'self'", ...(development ? ['ws:'] : []), ...hosts.connect, mapHost],
    'frame-src': ["'self'", ...hosts.frame, mapHost],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}
