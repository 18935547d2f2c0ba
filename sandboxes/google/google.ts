import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import type { FastifyInstance } from 'fastify'
import type { GoogleProvider } from '../../server/modules/identity/options.ts'
import type { Secrets } from '../../server/platform/secrets/secrets.ts'
import { registerSandboxPages } from './routes.ts'
import { createSandboxTokens } from './tokens.ts'

const prefix = '/sandbox/google'
const clientId = 'torque-yard'
const providerId = 'google-sandbox'

/**
 * Our own OpenID provider behind the Google popup, for a shop without keys. A visitor may claim any email, so it
 * never signs in to an account that it did not create.
 *
 * @param verifiesEmails whether its emails count as verified, like real Google emails. In a shop that others can
 * reach,
 *   a stranger could claim the guest orders of any email.
 */
export function openGoogleSandbox({
  origin,
  secrets,
  verifiesEmails,
}: {
  origin: string
  secrets: Secrets
  verifiesEmails: boolean
}): GoogleProvider {
  const issuer = `${origin}${prefix}`
  const redirectUri = `${origin}/idp/callback/${providerId}`
  const tokens = createSandboxTokens({ issuer, secrets, verifiesEmails })

  const plugin = genericOAuth({
    config: [
      {
        providerId,
        clientId,
        pkce: true,
        scopes: ['openid', 'email', 'profile'],
        // Discovery would fail: better-auth requests it at startup, before the shop listens.
        authorizationUrl: `${issuer}/authorize`,
        // Redeemed in this process, because the shop may not be able to reach its own public URL.
        getToken: async ({ code, codeVerifier = '' }) => {
          const issued = await tokens.redeem(code, { clientId, redirectUri, verifier: codeVerifier })
          return { idToken: issued.id_token, accessToken: issued.access_token }
        },
        getUserInfo: async ({ idToken = '' }) => {
          const claims = await tokens.verifyIdToken(idToken, clientId)
          return { ...claims, id: claims.sub, emailVerified: claims.email_verified }
        },
      },
    ],
  })

  return {
    id: providerId,
    plugins: [plugin],
    routes(app: FastifyInstance) {
      app.register(async (pages) => registerSandboxPages(pages, { issuer, clientId, redirectUri, tokens }), {
        prefix,
      })
    },
  }
}
