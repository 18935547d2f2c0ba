import type { FastifyInstance, FastifyReply } from 'fastify'
import { describeError } from '../../platform/log.ts'
import type { AuthDeps } from './auth-deps.ts'
import { popupEnd } from './better-auth.ts'
import { callBetterAuth, forwardCookies } from './call-better-auth.ts'
import { callbackCall } from './calls.ts'
import { popupEndPage, popupEndPolicy } from './popup.ts'
import { toAuthError } from './send-auth-error.ts'

/** Maps better-auth's error codes. Any other code becomes `FAILED`. */
const outcomes: Readonly<Record<string, string>> = {
  account_not_linked: 'NOT_LINKED',
  access_denied: 'POPUP_CLOSED',
}

/** Sign-in in a popup: `/popup` redirects to Google, Google to `/callback/…`, and that to `/popup/done`. */
export function registerGoogleRoutes(scope: FastifyInstance, { auth, origin, google, log }: AuthDeps): void {
  const end = popupEnd(origin)
  const options = {
    // The URLs contain authorization codes, so requests are not logged.
    logLevel: 'warn',
    onRequest: async (_request: unknown, reply: FastifyReply) => {
      // Needed on every page and redirect of the popup: any other policy would separate it from its opener.
      reply.header('cross-origin-opener-policy', 'unsafe-none')
    },
    // Errors also end at `/popup/done`, which passes the code to the opener.
    errorHandler: (error: unknown, _request: unknown, reply: FastifyReply) => {
      const { code, retryAfter } = toAuthError(error)
      if (code === 'FAILED') log.error({ error: describeError(error) }, 'identity provider: popup failed')
      reply.redirect(`${end}?error=${code}${retryAfter ? `&retryAfter=${retryAfter}` : ''}`)
    },
  } as const

  scope.get('/popup', options, async (_request, reply) => {
    if (!google) return reply.redirect(`${end}?error=FAILED`)
    const { headers, response } = await auth.api.signInSocial({
      body: { provider: google.id, callbackURL: end, errorCallbackURL: end, disableRedirect: true },
      returnHeaders: true,
    })
    if (!response.url) throw new Error('better-auth returned no sign-in URL')
    forwardCookies({ headers }, reply)
    return reply.redirect(response.url)
  })

  scope.get('/popup/done', options, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', popupEndPolicy)
      .send(popupEndPage),
  )

  if (!google) return
  const callback = callbackCall(google.id)
  scope.get(callback.path, options, async (request, reply) => {
    const response = await callBetterAuth(auth, origin, callback, request)
    const error = new URL(response.headers.get('location') ?? `${end}?error=none`).searchParams.get('error')
    forwardCookies(response, reply)
    return reply.redirect(error ? `${end}?error=${outcomes[error] ?? 'FAILED'}` : end)
  })
}
