import { invalidRequest } from './api-error.ts'

/** @throws ApiError parameter_missing */
export function requireText(params: URLSearchParams, name: string): string {
  const value = params.get(name)
  if (!value)
    throw invalidRequest(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
  return value
}

/** @throws ApiError parameter_missing, parameter_invalid_integer */
export function requireInteger(params: URLSearchParams, name: string): number {
  const text = requireText(params, name)
  if (/^-?\d{1,15}$/.test(text)) return Number(text)
  throw invalidRequest(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: name })
}

/** Reads all parameters such as `metadata[orderId]=…`. */
export function readMetadata(params: URLSearchParams): Record<string, string> {
  const entries = [...params].flatMap(([name, value]) => {
    const key = /^metadata\[([^\]]+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * Rejects parameters that the sandbox does not support, instead of ignoring them.
 * @param known names, with `[*]` for any one key in brackets
 * @throws ApiError parameter_unknown
 */
export function refuseUnknown(params: URLSearchParams, known: readonly string[]): void {
  for (const name of params.keys()) {
    if (known.includes(name) || known.includes(name.replace(/\[[^\]]*\]$/, '[*]'))) continue
    throw invalidRequest(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name })
  }
}

/**
 * Rejects NUL characters, which Postgres cannot store.
 * @throws ApiError
 */
export function refuseNul(params: URLSearchParams, id: string): void {
  if ([id, ...params.keys(), ...params.values()].some((text) => text.includes('\0')))
    throw invalidRequest('Invalid string: it contains a NUL character.')
}
