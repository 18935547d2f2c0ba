import type * as z from 'zod/mini'
import { errorCodes } from '../contract/call-docs.ts'
import type { ErrorBody } from '../contract/errors.ts'
import { type RouteName, routes } from '../contract/routes.ts'
import type { Schemas } from '../contract/schemas.ts'

export interface CallOptions {
  /** Access token of the caller. */
  as?: { token: string }
  params?: Record<string, string | number>
  query?: Record<string, string | number | string[]>
  headers?: Record<string, string>
  body?: unknown
  /** Aborts the request. */
  signal?: AbortSignal
}

export interface TestResponse<Body> {
  status: number
  body: Body
  headers: Headers
}

/** Response body of the contract, or of an error. */
export type Reply<Name extends RouteName> = z.output<Schemas[Name]['reply']> & Partial<ErrorBody>

/** HTTP client for a shop. Rejects if the connection breaks before the response is complete. */
export interface Caller {
  /** Makes a call of the contract. */
  call<Name extends RouteName>(name: Name, options?: CallOptions): Promise<TestResponse<Reply<Name>>>
  /** Sends any request. Bytes are sent unchanged, other bodies as JSON. */
  request<Body>(
    method: string,
    path: string,
    options?: Omit<CallOptions, 'params'>,
  ): Promise<TestResponse<Body>>
}

/** Fails if the OpenAPI document does not list the returned error. */
function requireDocumented(name: RouteName, { status, body }: TestResponse<Partial<ErrorBody>>): void {
  if (status < 400 || body.code === undefined) return
  const { path, method } = routes[name]
  const calls = (Object.keys(routes) as RouteName[]).filter(
    (each) => routes[each].path === path && routes[each].method === method,
  )
  if (calls.some((each) => errorCodes(each).includes(body.code ?? 'INTERNAL'))) return
  throw new Error(`${name} has returned ${body.code}: list it in contract/call-docs.ts`)
}

/** @param origin of the shop, without a trailing slash */
export function toCaller(origin: string): Caller {
  async function request<Body>(
    method: string,
    path: string,
    options: Omit<CallOptions, 'params'> = {},
  ): Promise<TestResponse<Body>> {
    const { as, query, headers, body, signal } = options
    const search = query
      ? `?${new URLSearchParams(Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => [key, String(one)])))}`
      : ''
    const isBytes = body instanceof Uint8Array
    const response = await fetch(`${origin}${path}${search}`, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(body !== undefined && {
          'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        }),
        ...headers,
      },
      body: isBytes ? new Uint8Array(body) : body === undefined ? undefined : JSON.stringify(body),
      signal,
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      body: isJson && text !== '' ? JSON.parse(text) : text,
      headers: response.headers,
    }
  }

  return {
    request,
    async call(name, { params = {}, ...options } = {}) {
      const path = routes[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
        encodeURIComponent(params[key] ?? ''),
      )
      const response = await request<Reply<typeof name>>(routes[name].method, `/api${path}`, options)
      requireDocumented(name, response)
      return response
    },
  }
}
