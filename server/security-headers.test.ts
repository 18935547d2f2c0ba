import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { addSecurityHeaders, contentSecurityPolicy } from './security-headers.ts'

const page = { scripts: ['sha256-abc='], stripe: false, frames: [], development: false }

test('a page runs no script but its own files and the hashed ones, and no inline style', () => {
  const policy = contentSecurityPolicy(page)
  expect(policy).toContain("script-src 'self' 'sha256-abc=';")
  expect(policy).toContain("style-src 'self';")
  expect(policy).not.toContain('unsafe')
})

test("Stripe's hosts are let in only where the shop takes real cards", () => {
  expect(contentSecurityPolicy(page)).not.toContain('stripe.com')
  const real = contentSecurityPolicy({ ...page, stripe: true })
  expect(real).toMatch(/script-src [^;]*https:\/\/js\.stripe\.com/)
  expect(real).toMatch(/connect-src [^;]*https:\/\/api\.stripe\.com/)
  expect(real).toMatch(/frame-src [^;]*https:\/\/hooks\.stripe\.com/)
})

test('a frame from elsewhere is let in only on the page that names it, nothing of it but the frame and a call', () => {
  expect(contentSecurityPolicy(page)).toContain("frame-src 'self';")
  const framed = contentSecurityPolicy({ ...page, frames: ['https://maps.example'] })
  expect(framed).toContain("frame-src 'self' https://maps.example;")
  expect(framed).toContain("connect-src 'self' https://maps.example;")
  expect(framed).toContain("script-src 'self' 'sha256-abc=';")
})

test('every answer says how it may be used, a refusal too', async () => {
  const app = Fastify()
  addSecurityHeaders(app)
  const { headers, statusCode } = await app.inject('/nothing-here')
  expect(statusCode).toBe(404)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  })
})
