export interface IdTokenClaims {
  email: string
  name: string
}

/** Whom an ID token names. Its signature is the server's to check: here it only says which account to ask for. */
export function readIdToken(idToken: string): IdTokenClaims {
  const payload = idToken.split('.')[1] ?? ''
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
    c.charCodeAt(0),
  )
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as Partial<IdTokenClaims>
  return { email: claims.email ?? '', name: claims.name ?? '' }
}
