import type * as z from 'zod/mini'
import type { ErrorBody, ErrorCode } from '../contract/errors.ts'
import { type RouteName, routes } from '../contract/routes.ts'
import type { Schemas } from '../contract/schemas.ts'
import type { OpenStep } from '../contract/two-step.ts'
import {
  clearAccessToken,
  readAccessToken,
  readOwner,
  renewAccessToken,
  storeAccessToken,
} from './access-token.ts'
import { pageFailedText, unreachableTitle } from './texts.ts'

type Part = 'params' | 'query' | 'headers' | 'body'
export type Sent<Name extends RouteName> = {
  [P in Part & keyof Schemas[Name]]: Schemas[Name][P] extends z.ZodMiniType
    ? z.output<Schemas[Name][P]>
    : never
} & { signal?: AbortSignal | undefined }
export type Query<Name extends RouteName> = Schemas[Name] extends {
  query: infer Schema extends z.ZodMiniType
}
  ? z.output<Schema>
  : never
export type Reply<Name extends RouteName> = z.output<Schemas[Name]['reply']>

/** A failed call: an error code of the API, or NO_ANSWER if the shop could not be reached. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode | 'NO_ANSWER'
  /** The HTTP status; 0 for NO_ANSWER. */
  readonly status: number
  readonly fields: Record<string, string>
  /** The whole error body, for example with the current amount. */
  readonly details: Record<string, unknown>

  constructor(body: Omit<ErrorBody, 'code'> & { code: ApiError['code'] }, status: number, cause?: unknown) {
    super(body.message, { cause })
    this.code = body.code
    this.status = status
    this.fields = body.fields ?? {}
    this.details = { ...body }
  }
}

/** Calls a route of the contract and returns its reply. Throws ApiError. */
export async function call<Name extends RouteName>(name: Name, sent: Sent<Name>): Promise<Reply<Name>> {
  const response = await send(name, sent)
  return (await response.json()) as Reply<Name>
}

/** Values with the ETag that they had when they were read. */
export interface Versioned<Value> {
  value: Value
  etag: string
}

/** Calls a route whose response has an `ETag`. Throws ApiError. */
export async function callForVersion<Name extends RouteName>(
  name: Name,
  sent: Sent<Name>,
): Promise<Versioned<Reply<Name>>> {
  const response = await send(name, sent)
  return { value: (await response.json()) as Reply<Name>, etag: response.headers.get('ETag') ?? '' }
}

/** Calls a route that returns a file. Throws ApiError; this includes an interrupted download. */
export async function callForFile<Name extends RouteName>(name: Name, sent: Sent<Name>): Promise<Blob> {
  const response = await send(name, sent)
  return response.blob().catch((cause: unknown) => Promise.reject(noAnswer(cause)))
}

/** Calls a route that returns one page of a list; `total` counts the rows of all pages. Throws ApiError. */
export async function callForPage<Name extends RouteName>(
  name: Name,
  sent: Sent<Name>,
): Promise<{ rows: Reply<Name>; total: number }> {
  const response = await send(name, sent)
  const rows = (await response.json()) as Reply<Name>
  return { rows, total: Number(response.headers.get('X-Total-Count') ?? 0) }
}

let pendingRenewal: Promise<string | null> | null = null

const send = <Name extends RouteName>(name: Name, sent: Sent<Name>): Promise<Response> =>
  sendAsMe(name, (token) => request(name, sent, token))

/**
 * Sends a request with the access token. Renews an expired token and retries once: without a token if the session has ended
 * and the key of an order may do. Throws ApiError.
 */
export async function sendAsMe(
  name: RouteName,
  sendWith: (token: string | null) => Promise<Response>,
): Promise<Response> {
  const token = readAccessToken()
  const response = await sendWith(token)
  if (response.ok) return response
  if (response.status !== 401 || !token || name === 'exchangeIdToken') throw await toApiError(response)

  const renewed = await renewOnce(token)
  if (!renewed && !routes[name].access.endsWith('-or-key')) throw await toApiError(response)
  const repeated = await sendWith(renewed)
  if (!repeated.ok) throw await toApiError(repeated)
  return repeated
}

/**
 * Replaces an expired token, or clears it if the session of its user has ended. Concurrent calls share one renewal. Before
 * or during it the user may have signed out, and another tab may have renewed the token: then the stored token stays.
 * Returns it if it is of the same user: no call is repeated as another one.
 */
async function renewOnce(expired: string): Promise<string | null> {
  const owner = readOwner(expired)
  const isOurs = (token: string) => !owner || owner === readOwner(token)
  if (readAccessToken() === expired) {
    pendingRenewal ??= renewAccessToken().finally(() => {
      pendingRenewal = null
    })
    const renewed = await pendingRenewal
    if (readAccessToken() === expired) {
      if (renewed && isOurs(renewed)) storeAccessToken(renewed)
      else clearAccessToken()
    }
  }
  const stored = readAccessToken()
  return stored && isOurs(stored) ? stored : null
}

interface AnySent {
  params?: Record<string, string>
  query?: Record<string, string | number | string[] | undefined>
  headers?: Record<string, string | undefined>
  body?: unknown
  signal?: AbortSignal | undefined
}

async function request(name: RouteName, sent: AnySent, token: string | null): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  for (const [header, value] of Object.entries(sent.headers ?? {})) if (value) headers.set(header, value)
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (sent.body !== undefined) headers.set('content-type', 'application/json')
  const init: RequestInit = { method: routes[name].method, headers, signal: sent.signal ?? null }
  if (sent.body !== undefined) init.body = JSON.stringify(sent.body)
  // Without a body: signing out or deleting must complete even if the user leaves the page.
  else init.keepalive = init.method !== 'GET'
  try {
    return await fetch(buildUrl(name, sent), init)
  } catch (cause) {
    if (sent.signal?.aborted) throw cause
    throw noAnswer(cause)
  }
}

export const noAnswer = (cause?: unknown): ApiError =>
  new ApiError({ code: 'NO_ANSWER', message: `${unreachableTitle}. Check your connection.` }, 0, cause)

export function buildUrl(name: RouteName, { params = {}, query = {} }: AnySent): string {
  const path = routes[name].path.replaceAll(/\{(\w+)\}/g, (_, key) => encodeURIComponent(params[key] ?? ''))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) if (one !== '') search.append(key, `${one}`)
  }
  return `/api${path}?${search}`.replace(/\?$/, '')
}

export async function toApiError(response: Response): Promise<ApiError> {
  const unreadable: ErrorBody = {
    code: 'INTERNAL',
    message: `The server returned an error (${response.status}).`,
  }
  const body = (await response.json().catch(() => unreadable)) as ErrorBody
  if (response.status === 403) dispatchEvent(new CustomEvent('refused', { detail: body.code }))
  return new ApiError(body, response.status)
}

/** Calls `listener` when a call fails because the sign-in lacks the second step. Returns a function that ends this. */
export function onOpenStep(listener: (step: OpenStep) => void): () => void {
  const listen = (event: Event) => {
    const { detail } = event as CustomEvent<ErrorCode>
    if (detail === 'TWO_STEP_REQUIRED' || detail === 'TWO_STEP_NOT_SET_UP') listener(detail)
  }
  addEventListener('refused', listen)
  return () => removeEventListener('refused', listen)
}

/** Whether the server rejected the request (4xx), so that it changed nothing. */
export const isClientError = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

/** Returns the message of an error, for display. */
export function readMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : pageFailedText
}
