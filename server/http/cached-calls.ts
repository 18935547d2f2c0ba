import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { type RouteName, routes } from '../../contract/routes.ts'
import { type CallSchema, type Schemas, schemas } from '../../contract/schemas.ts'
import type { CacheSource } from '../pages/cache.ts'
import { buildKey, createKeyMemory } from '../pages/cache-key.ts'
import { type CacheDeps, sendCached } from '../pages/send-cached.ts'
import { type PreparedResponse, prepareResponse } from '../pages/send-response.ts'
import { errorBody, isDatabaseUnavailable, logUnavailable } from '../platform/errors.ts'
import { parsed } from '../platform/parse-request.ts'

/** The public calls with `cache: true` in the contract. */
export type CachedName = {
  [Name in RouteName]: (typeof routes)[Name] extends { access: 'public'; cache: true } ? Name : never
}[RouteName]

type Part<Name extends CachedName, Key extends string> =
  Schemas[Name] extends Record<Key, infer Schema extends z.ZodMiniType> ? z.output<Schema> : undefined

/** The only input of a cached response: it must not depend on the caller or on headers. */
interface CachedInput<Name extends CachedName> {
  params: Part<Name, 'params'>
  query: Part<Name, 'query'>
  /** The path with the parsed parameters, sorted. */
  url: string
  /** Adds headers to the response. */
  addHeaders: (headers: Record<string, string>) => void
}

export type CachedHandler<Name extends CachedName> = (
  input: CachedInput<Name>,
) => Promise<z.input<Schemas[Name]['reply']>>

interface CallData {
  status: number
  headers: Record<string, string>
  /** Result of the handler, before the reply schema is applied. */
  response: unknown
}

const json = { 'content-type': 'application/json; charset=utf-8' }

const unavailable: CallData = {
  status: 503,
  headers: { ...json, 'retry-after': '2' },
  response: errorBody('UNAVAILABLE'),
}

const prepare = ({ response, ...rest }: CallData): PreparedResponse =>
  prepareResponse({ ...rest, body: Buffer.from(JSON.stringify(response)) })

/** Returns the Fastify handler of a call whose responses are cached like pages. */
export function handleCached<Name extends CachedName>(
  name: Name,
  handler: CachedHandler<Name>,
  deps: CacheDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { reply: replySchema, ...schema }: CallSchema = schemas[name]
  const remembered = createKeyMemory()

  function parse({ params, query }: FastifyRequest) {
    return {
      params: schema.params && parsed(schema.params, params),
      query: schema.query && parsed(schema.query, query),
    } as Pick<CachedInput<Name>, 'params' | 'query'>
  }

  function toKey(request: FastifyRequest): string {
    const known = remembered.get(request.url)
    if (known !== undefined) return known
    const { params, query } = parse(request)
    const key = buildCallKey(routes[name].path, params ?? {}, query ?? {})
    remembered.set(request.url, key)
    return key
  }

  async function read(url: string, request: FastifyRequest): Promise<CallData> {
    const headers: Record<string, string> = { ...json }
    const addHeaders = (more: Record<string, string>) => void Object.assign(headers, more)
    try {
      const response: unknown = await handler({ ...parse(request), url, addHeaders })
      return { status: 200, headers, response }
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      logUnavailable(request.log, error)
      return unavailable
    }
  }

  const overflow = prepare(unavailable)
  return async (request, reply) => {
    const key = toKey(request)
    const source: CacheSource<CallData> = {
      read: () => read(key, request),
      render: async (data) =>
        prepare(data === unavailable ? data : { ...data, response: replySchema.parse(data.response) }),
      unavailable: overflow,
    }
    return sendCached(deps, key, source, request, reply)
  }
}

type Values = Record<string, string | number | undefined>
type QueryValues = Record<string, Values[string] | string[]>

function buildCallKey(path: string, params: Values, query: QueryValues): string {
  const withParams = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    [value ?? []].flat().map((one) => [name, `${one}`]),
  )
  return buildKey(`/api${withParams}`, parameters)
}
