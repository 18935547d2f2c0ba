import { Secret, TOTP } from 'otpauth'
import type { Caller } from './call.ts'

/** Returns the code that an authenticator app shows now, or this number of 30 s steps from now. */
export const appCode = (key: string, steps = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(key), timestamp: Date.now() + steps * 30_000 })

/** Returns a code that is wrong now, and stays wrong for a while. */
export function wrongCode(key: string): string {
  const near = [-2, -1, 0, 1, 2, 3].map((steps) => appCode(key, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find(
    (code) => !near.includes(code),
  ) as string
}

/** Sets two-step login up with `code`, the code of this moment. `appCode(key, 1)` is the next one that counts. */
export async function setUpTwoStep(
  { call }: Pick<Caller, 'call'>,
  as: { token: string },
): Promise<{ key: string; uri: string; code: string; recoveryCodes: string[] }> {
  const { key, uri } = (await call('startTwoStep', { as })).body
  const code = appCode(key)
  const { status, body } = await call('confirmTwoStep', { as, body: { code } })
  if (status !== 200) throw new Error(`two-step login was not set up: ${status} ${body.code}`)
  return { key, uri, code, recoveryCodes: body.recoveryCodes }
}
