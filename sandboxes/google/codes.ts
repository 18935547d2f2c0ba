import { EncryptJWT, jwtDecrypt } from 'jose'
import * as z from 'zod/mini'
import { deriveKeys, type Secrets } from '../../server/platform/secrets/secrets.ts'

export interface SandboxPerson {
  email: string
  name: string
}

export type SandboxCodes = ReturnType<typeof createSandboxCodes>

const Code = z.object({ email: z.string(), name: z.string(), challenge: z.string() })

/**
 * Creates the sandbox's authorization codes. Nothing is stored: they are encrypted JWTs, which any process of the
 * shop can read.
 */
export function createSandboxCodes(issuer: string, secrets: Secrets) {
  const keys = deriveKeys(secrets, 'google sandbox')

  return {
    /** @param challenge of PKCE, method S256: only the browser that started the sign-in can use the code */
    issue: ({ email, name }: SandboxPerson, challenge: string): Promise<string> =>
      new EncryptJWT({ email, name, challenge })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setIssuer(issuer)
        .setExpirationTime('60 seconds')
        .encrypt(keys[0]),

    /** @throws if the code is expired or not ours */
    async read(code: string): Promise<z.infer<typeof Code>> {
      // It may come from a process with another current secret.
      const attempts = keys.map((key) => jwtDecrypt(code, key, { issuer, requiredClaims: ['exp'] }))
      return Code.parse((await Promise.any(attempts)).payload)
    },
  }
}
