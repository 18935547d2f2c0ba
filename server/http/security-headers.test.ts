import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { mapHost } from '../../contract/shop.ts'
import { addSecurityHeaders, contentSecurityPolicy } from './security-headers.ts'

const page = { scripts: ['sha256-abc='], isSecure: true, stripe: false, development: false }

test('a page allows only its own and the hashed scripts, and no inline styles', () => {
  const policy = contentSecurityPolicy(page)
  expect(policy).toContain("script-src 'self' 'sha256-abc=';")
  expect(policy).toContain("style-src 'self';")
  expect(policy).not.toContain('unsafe')
})

test('a page of a shop with HTTPS loads no picture without it', () => {
  expect(contentSecurityPolicy(page)).toContain("img-src 'self' data: https:;")
  expect(contentSecurityPolicy({ ...page, isSecure: false })).toContain("img-src 'self' data: https: http:;")
})

test('the hosts of Stripe are allowed only with real payments', () => {
  expect(contentSecurityPolicy(page)).not.toContain('stripe.com')
  const real = contentSecurityPolicy({ ...page, stripe: true })
  expect(real).toMatch(/script-src [^;]*https:\/\/js\.stripe\.com/)
  expect(real).toMatch(/connect-src [^;]*https:\/\/api\.stripe\.com/)
  expect(real).toMatch(/frame-src [^;]*https:\/\/hooks\.stripe\.com/)
})

test('the host of the map is allowed in frames and requests only', () => {
  const policy = contentSecurityPolicy(page)
  expect(policy).toContain(`frame-src 'self' ${mapHost};`)
  expect(policy).toContain(`connect-src 'self' ${mapHost};`)
  expect(policy.split(mapHost)).toHaveLength(3)
})

describe('every response has the security headers, even an error', () => {
  async function readHeaders(origin: string) {
    const app = Fastify()
    addSecurityHeaders(app, origin)
    return (await app.inject('/nothing-here')).headers
  }

  test('it forbids sniffing, framing and all sources; the popup keeps its opener', async () => {
    expect(await readHeaders('http://localhost:3000')).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(), microphone=()'),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  })

  test('HSTS is sent with https only', async () => {
    const { 'strict-transport-security': secure } = await readHeaders('https://shop.example')
    const { 'strict-transport-security': plain } = await readHeaders('http://localhost:3000')
    expect([secure, plain]).toEqual(['max-age=31536000', undefined])
  })
})
