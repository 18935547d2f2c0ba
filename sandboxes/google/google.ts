import { hash } from 'node:crypto'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import type { FastifyInstance } from 'fastify'
import type { GoogleProvider } from '../../server/modules/identity/options.ts'
import type { Secrets } from '../../server/platform/secrets/secrets.ts'
import { createSandboxCodes } from './codes.ts'
import { registerSandboxPages } from './routes.ts'

const prefix = '/sandbox/google'
const clientId = 'torque-yard'
const providerId = 'google-sandbox'

/**
 * Our own account chooser behind the Google popup, for a shop without keys. A visitor may claim any email, so it
 * never signs in to an account that it did not create.
 *
 * @param verifiesEmails whether its emails count as verified, like real Google emails. In a shop that others can
 *   reach, a stranger could claim the guest orders of any email.
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
  const codes = createSandboxCodes(issuer, secrets)

  const plugin = genericOAuth({
    config: [
      {
        providerId,
        clientId,
        pkce: true,
        authorizationUrl: `${issuer}/authorize`,
        // Read in this process, because the shop may not be able to reach its own public URL.
        getToken: async ({ code, codeVerifier = '' }) => {
          const { challenge } = await codes.read(code)
          if (challenge !== hash('sha256', codeVerifier, 'base64url'))
            throw new Error('the code belongs to another sign-in')
          // For `getUserInfo`. It is never stored: see `noTokens` in better-auth.ts.
          return { accessToken: code }
        },
        getUserInfo: async ({ accessToken = '' }) => {
          const { email, name } = await codes.read(accessToken)
          const id = `sandbox-${hash('sha256', email).slice(0, 20)}`
          return { id, email, name, emailVerified: verifiesEmails }
        },
      },
    ],
  })

  return {
    id: providerId,
    plugins: [plugin],
    routes(app: FastifyInstance) {
      app.register(async (pages) => registerSandboxPages(pages, { issuer, clientId, redirectUri, codes }), {
        prefix,
      })
    },
  }
}
