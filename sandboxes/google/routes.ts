import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { email, requiredLine } from '../../contract/fields.ts'
import { readSandboxStyle } from '../sandbox-page.ts'
import type { SandboxCodes, SandboxPerson } from './codes.ts'
import { renderSandboxPage, type SandboxPage } from './page.ts'

interface SandboxDeps {
  issuer: string
  /** The only accepted client and redirect URI. */
  clientId: string
  redirectUri: string
  codes: SandboxCodes
}

const accounts: readonly SandboxPerson[] = [
  { name: 'Sandbox Rider', email: 'sandbox.rider@example.com' },
  { name: 'Sandbox Mechanic', email: 'sandbox.mechanic@example.com' },
  { name: 'Sandbox Tourer', email: 'sandbox.tourer@example.com' },
]

const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const stylesheet = readSandboxStyle(new URL('google.css', import.meta.url))

const Person = z.object({ email, name: requiredLine(120, 'Name is required') })
const Form = z.object({ email: z.string(), name: z.string() })

/** Registers the authorization endpoint with PKCE (RFC 6749, RFC 7636). Codes are redeemed in the process. */
export function registerSandboxPages(app: FastifyInstance, deps: SandboxDeps): void {
  const { issuer, clientId, redirectUri, codes } = deps
  const AuthorizationRequest = z.object({
    client_id: z.literal(clientId),
    redirect_uri: z.literal(redirectUri),
    response_type: z.literal('code'),
    code_challenge_method: z.literal('S256'),
    code_challenge: z.string().check(z.regex(/^[\w-]{43}$/)),
    state: z.string().check(z.minLength(1), z.maxLength(512)),
  })
  type AuthorizationRequest = z.infer<typeof AuthorizationRequest>

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 8192 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy,
      // The popup must not lose the page that opened it.
      'cross-origin-opener-policy': 'unsafe-none',
    })
  })

  app.get('/authorize', (request, reply) => {
    const parsed = AuthorizationRequest.safeParse(request.query)
    return parsed.success ? sendPage(reply, parsed.data) : refuse(reply)
  })

  app.post('/authorize', async (request, reply) => {
    const parsed = AuthorizationRequest.safeParse(request.query)
    const form = Form.safeParse(request.body)
    if (!parsed.success || !form.success) return refuse(reply)
    const person = Person.safeParse(form.data)
    if (!person.success) {
      const problem = person.error.issues[0]?.message ?? 'Email not valid'
      return sendPage(reply.code(400), parsed.data, { ...form.data, problem })
    }
    const { code_challenge, state } = parsed.data
    const code = await codes.issue(person.data, code_challenge)
    return reply.redirect(`${redirectUri}?${new URLSearchParams({ code, state })}`, 303)
  })

  function sendPage(reply: FastifyReply, parsed: AuthorizationRequest, typed?: SandboxPage['typed']) {
    const page = renderSandboxPage({
      action: `${issuer}/authorize?${new URLSearchParams(parsed)}`,
      cancel: `${redirectUri}?${new URLSearchParams({ error: 'access_denied', state: parsed.state })}`,
      stylesheet: `${issuer}/style.css`,
      accounts,
      ...(typed && { typed }),
    })
    return reply.type('text/html; charset=utf-8').send(page)
  }

  app.get('/style.css', (_request, reply) => reply.type('text/css').send(stylesheet))
}

function refuse(reply: FastifyReply): FastifyReply {
  return reply.code(400).type('text/plain').send('This sign-in was not started by the shop.')
}
