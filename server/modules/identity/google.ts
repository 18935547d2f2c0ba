import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isDatabaseUnavailable, logUnavailable, ShopError } from '../../platform/errors.ts'
import type { AuthDeps } from './auth-deps.ts'
import { forwardCookies, popupEnd, toAuthHeaders } from './better-auth.ts'
import type { GoogleProvider } from './options.ts'

/** The real Google. `<origin>/idp/callback/google` must be registered in its console as a redirect URI. */
export function realGoogle(keys: { clientId: string; clientSecret: string }): GoogleProvider {
  return { id: 'google', social: { ...keys, prompt: 'select_account', includeGrantedScopes: false } }
}

/** Maps better-auth's error codes. Any other code becomes `FAILED`. */
const outcomes: Readonly<Record<string, string>> = {
  account_not_linked: 'NOT_LINKED',
  access_denied: 'POPUP_CLOSED',
}

/** Needed on every page and redirect of the popup: any other policy would separate it from its opener. */
const popupOpenerPolicy = 'unsafe-none'

/** Sign-in in a popup: `/popup` redirects to Google, Google to `/callback/…`, and the callback to `/popup/done`. */
export function registerGoogleRoutes(
  scope: FastifyInstance,
  { auth, origin, authSecrets, google, log }: AuthDeps,
): void {
  const end = popupEnd(origin)
  const options = {
    // The URLs contain authorization codes, so requests are not logged.
    logLevel: 'warn',
    onRequest: async (_request: unknown, reply: FastifyReply) => {
      reply.header('cross-origin-opener-policy', popupOpenerPolicy)
    },
    // Errors also end at `/popup/done`, which passes the code to the opener.
    errorHandler: (error: unknown, _request: unknown, reply: FastifyReply) => {
      if (isDatabaseUnavailable(error)) {
        logUnavailable(log, error)
        return reply.redirect(`${end}?error=UNAVAILABLE`)
      }
      const isExpected = error instanceof ShopError
      if (!isExpected) log.error({ err: error }, 'identity provider: popup failed')
      const code = isExpected ? error.code : 'FAILED'
      const retryAfter = isExpected && error.response.retryAfter
      return reply.redirect(`${end}?error=${code}${retryAfter ? `&retryAfter=${retryAfter}` : ''}`)
    },
  } as const

  scope.get('/popup', options, async (_request, reply) => {
    if (!google) return reply.redirect(`${end}?error=FAILED`)
    const { headers, response } = await auth.api.signInSocial({
      body: { provider: google.id, callbackURL: end, errorCallbackURL: end, disableRedirect: true },
      returnHeaders: true,
    })
    if (!response.url) throw new Error('better-auth returned no sign-in URL')
    forwardCookies(headers, reply)
    return reply.redirect(response.url)
  })

  if (!google) return
  scope.get<{ Querystring: Record<string, string> }>(
    `/callback/${google.id}`,
    options,
    async (request, reply) => {
      const { headers } = await auth.api.callbackOAuth({
        method: 'GET',
        params: { id: google.id },
        query: request.query,
        headers: toAuthHeaders(request, authSecrets),
        asResponse: true,
      })
      const error = new URL(headers.get('location') ?? `${end}?error=none`).searchParams.get('error')
      forwardCookies(headers, reply)
      return reply.redirect(error ? `${end}?error=${outcomes[error] ?? 'FAILED'}` : end)
    },
  )
}

/** Separate from the other routes: it needs no database, which counts their calls. */
export function registerPopupEnd(app: FastifyInstance, origin: string): void {
  app.get(new URL(popupEnd(origin)).pathname, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': popupEndPolicy,
        'cross-origin-opener-policy': popupOpenerPolicy,
      })
      .send(popupEndPage),
  )
}

/** In the message to the opener `error` is null after a sign-in, and `retryAfter` is in seconds or null. */
const script = `
const params = new URLSearchParams(location.search)
const outcome = { error: params.get('error'), retryAfter: params.get('retryAfter') }
if (opener) opener.postMessage({ type: 'torque-yard:sign-in', ...outcome }, location.origin)
close()
`

/**
 * The last page of the popup, which posts only the outcome to its opener. better-auth's popup plugin would expose
 * the session token to scripts.
 */
const popupEndPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in using Google</title><link rel="icon" href="data:,"></head>
<body><p>You can close this window.</p><script>${script}</script></body>
</html>
`

const popupEndPolicy = `default-src 'none'; img-src data:; script-src 'sha256-${createHash('sha256')
  .update(script)
  .digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`
