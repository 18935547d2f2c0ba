export interface IdTokenClaims {
  email: string
  name: string
}

/** Reads email and name from an ID token without verifying it: the server verifies the signature. */
export function readIdToken(idToken: string): IdTokenClaims {
  const payload = idToken.split('.')[1] ?? ''
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
    c.charCodeAt(0),
  )
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as Partial<IdTokenClaims>
  return { email: claims.email ?? '', name: claims.name ?? '' }
}
