import { genericOAuth } from 'better-auth/plugins'
import type { FastifyInstance } from 'fastify'
import type { GoogleProvider } from '../../server/modules/identity/google.ts'
import { registerSandboxPages } from './routes.ts'
import { createSandboxTokens } from './tokens.ts'

const prefix = '/sandbox/google'
const clientId = 'torque-yard'
const providerId = 'google-sandbox'

/**
 * An OpenID provider of our own behind the Google popup, for a shop without keys. Whoever comes may call himself
 * anything: it says so on its page, and never opens an account that it did not make.
 */
export function openGoogleSandbox({ origin, secret }: { origin: string; secret: string }): GoogleProvider {
  const issuer = `${origin}${prefix}`
  const redirectUri = `${origin}/idp/callback/${providerId}`
  const tokens = createSandboxTokens({ issuer, secret })

  const plugin = genericOAuth({
    config: [
      {
        providerId,
        clientId,
        pkce: true,
        scopes: ['openid', 'email', 'profile'],
        // Said here, not discovered: better-auth would ask at start, when no one listens yet.
        authorizationUrl: `${issuer}/authorize`,
        // Within this process: the shop need not be able to reach its own public address.
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
    isSandbox: true,
    plugins: [plugin],
    routes(app: FastifyInstance) {
      app.register(async (pages) => registerSandboxPages(pages, { issuer, clientId, redirectUri, tokens }), {
        prefix,
      })
    },
  }
}
