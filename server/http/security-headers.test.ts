import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { mapHost } from '../../contract/shop.ts'
import { addSecurityHeaders, contentSecurityPolicy } from './security-headers.ts'

const page = { scripts: ['sha256-abc='], styles: [], isSecure: true, stripe: false, development: false }

test('a page allows only its own and the hashed scripts, and no inline styles', () => {
  const policy = contentSecurityPolicy(page)
  expect(policy).toContain("script-src 'self' 'sha256-abc=';")
  expect(policy).toContain("style-src 'self';")
  expect(policy).not.toContain('unsafe')
})

test('a page with an inline style allows only its hash', () => {
  const policy = contentSecurityPolicy({ ...page, styles: ['sha256-def='] })
  expect(policy).toContain("style-src 'self' 'sha256-def=';")
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
  async function read(origin: string, path = '/nothing-here') {
    const app = Fastify()
    addSecurityHeaders(app, origin)
    app.get('/here', async () => 'ok')
    return app.inject(path)
  }

  test.each([
    ['/here', 200],
    ['/nothing-here', 404],
  ])(
    '%s (%i) loads nothing, uses no device but for payments, and is in no frame of another site',
    async (path, status) => {
      const { statusCode, headers } = await read('http://localhost:3000', path)
      expect(statusCode).toBe(status)
      const policy = parsePolicy(headers['content-security-policy'])
      // Other directives fall back to `default-src`, but `frame-ancestors` does not.
      expect([...policy.keys()]).toEqual(expect.arrayContaining(['default-src', 'frame-ancestors']))
      expect([...policy.values()].filter((sources) => sources !== "'none'")).toEqual([])
      const usable = String(headers['permissions-policy'])
        .split(', ')
        .filter((device) => !/^[a-z-]+=\(\)$/.test(device))
      expect(usable).toEqual(['payment=(self "https://js.stripe.com")'])
      expect(headers['permissions-policy']).toMatch(/\bcamera=.*\bmicrophone=.*\bgeolocation=/)
      // Any other value of these is ignored.
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
    },
  )

  test('HSTS is sent with https only', async () => {
    const [secure, plain] = [await read('https://shop.example'), await read('http://localhost:3000')]
    expect(
      Number(/^max-age=(\d+)/.exec(String(secure.headers['strict-transport-security']))?.[1]),
    ).toBeGreaterThan(180 * 24 * 3600)
    expect(plain.headers).not.toHaveProperty('strict-transport-security')
  })
})

/** Returns the sources of each directive. */
const parsePolicy = (policy: unknown) =>
  new Map(
    String(policy)
      .split(';')
      .map((directive) => directive.trim().split(/ (.*)/s) as [string, string]),
  )
