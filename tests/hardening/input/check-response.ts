import * as z from 'zod/mini'
import { errors } from '../../../contract/errors.ts'
import { tooManyAttempts, tooManyCodes } from '../../../contract/waiting-time.ts'

export interface CheckedResponse {
  status: number
  headers: { get(name: string): string | null | undefined }
  /** Null for HEAD requests. */
  body: string | null
}

const RejectedError = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
})
const StripeErrorBody = z.object({ error: z.object({ type: z.string(), message: z.string() }) })

type Catalog = Readonly<Record<string, { status: number; message: string }>>

/** Checks the rules for responses to any request by any caller. Returns one message per broken rule. */
export function listFaults(path: string, response: CheckedResponse): string[] {
  const faults: string[] = []
  if (response.status === 0) faults.push('got no response')
  if (response.status >= 500 && !isMailOff(response.body)) faults.push(`returned ${response.status}`)
  if (response.headers.get('x-injected')) faults.push('injected a header into the response')
  if (response.headers.get('access-control-allow-origin')) faults.push('allowed other origins')
  // Pages and their data are cached for a second. This includes pages of unknown products.
  const isCacheable = !/no-store|no-cache|s-maxage=1,/.test(response.headers.get('cache-control') ?? '')
  if (response.status >= 400 && isCacheable) faults.push(`returned ${response.status} that a CDN may keep`)
  if (response.status >= 400 && response.body !== null && !isPage(response))
    faults.push(...shapeFaults(path, response, response.body))
  return faults
}

/** Whether a call is rejected because the shop under test has no mail server. */
export const isMailOff = (body: string | null): boolean => body?.includes('"code":"MAIL_OFF"') ?? false

const isPage = ({ headers }: CheckedResponse) => headers.get('content-type')?.startsWith('text/html') === true

/** Checks that errors have the shape of the contract. The payment sandbox may use Stripe's instead. */
function shapeFaults(path: string, { status, headers }: CheckedResponse, body: string): string[] {
  if (path.startsWith('/sandbox/google')) return []
  const value = asJson(body)
  if (path.startsWith('/sandbox/payments') && StripeErrorBody.safeParse(value).success) return []
  const error = RejectedError.safeParse(value)
  if (!error.success) return [`returned ${status} in another shape: ${body.slice(0, 120)}`]
  const { code, message } = error.data
  const known = (errors as Catalog)[code]
  // The message of a limit may name the time to wait.
  const retryAfter = Number(headers.get('retry-after'))
  const isOfLimit =
    (code === 'TOO_MANY_REQUESTS' && message === tooManyAttempts(retryAfter)) ||
    (code === 'COUPON_NOT_CHECKED' && message === tooManyCodes(retryAfter))
  const isKnown = known?.status === status && (known.message === message || isOfLimit)
  return isKnown ? [] : [`returned ${status} ${code}, which is not in the error catalog`]
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
