import { createHash } from 'node:crypto'

/** Type of the popup's message to its opener. `error` is null after a sign-in, `retryAfter` is in seconds or null. */
export const popupMessageType = 'torque-yard:sign-in'

const script = `
const params = new URLSearchParams(location.search)
const outcome = { error: params.get('error'), retryAfter: params.get('retryAfter') }
if (opener) opener.postMessage({ type: '${popupMessageType}', ...outcome }, location.origin)
close()
`

/**
 * The last page of the popup, which posts only the outcome to its opener. better-auth's popup plugin would expose
 * the session token to scripts.
 */
export const popupEndPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in using Google</title><link rel="icon" href="data:,"></head>
<body><p>You can close this window.</p><script>${script}</script></body>
</html>
`

export const popupEndPolicy = `default-src 'none'; img-src data:; script-src 'sha256-${createHash('sha256')
  .update(script)
  .digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`
