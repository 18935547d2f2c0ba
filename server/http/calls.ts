import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import { trimLine } from '../../contract/fields.ts'
import { type Route, type RouteName, routes } from '../../contract/routes.ts'
import { type CallSchema, type Schemas, schemas } from '../../contract/schemas.ts'
import type { Database } from '../../db/schema.ts'
import type { Caller } from '../platform/actor.ts'
import type { Connections } from '../platform/database/database.ts'
import type { PublicReads } from '../platform/database/replicas.ts'
import { ShopError } from '../platform/errors.ts'
import { normalizeIp } from '../platform/http/ip.ts'
import { parsed } from '../platform/http/parse-request.ts'
import { takeUpload } from '../platform/http/request-limits.ts'
import { bearerToken, refuseAccess } from './access.ts'
import type { ResponseCache } from './cache.ts'
import { createCacheKeys } from './cache-key.ts'
import { markChange, sendCached } from './send-cached.ts'
import { prepareResponse } from './send-response.ts'

type Part<Name extends RouteName, Key extends string> =
  Schemas[Name] extends Record<Key, infer Schema extends z.ZodMiniType> ? z.output<Schema> : undefined

type CallerFor<Name extends RouteName> = (typeof routes)[Name]['access'] extends
  | 'public'
  | 'owner-or-key'
  | 'owner-staff-or-key'
  ? Caller | null
  : Caller

/** Input of a handler, after the access check and the validation. */
interface CallInput<Name extends RouteName> {
  params: Part<Name, 'params'>
  query: Part<Name, 'query'>
  headers: Part<Name, 'headers'>
  body: Part<Name, 'body'>
  caller: CallerFor<Name>
  /** With the connections for reading if the method is GET. */
  db: Kysely<Database>
  /** For work that may take longer than the limit of `db`. */
  background: Kysely<Database>
  request: FastifyRequest
  reply: FastifyReply
}

type Handler<Name extends RouteName> = (input: CallInput<Name>) => Promise<z.input<Schemas[Name]['reply']>>

/** The public calls with `cache` in the contract. */
type CachedName = {
  [Name in RouteName]: (typeof routes)[Name] extends { access: 'public'; cache: true | 'anonymous' }
    ? Name
    : never
}[RouteName]

/** The only input of a cached response: it must not depend on headers. */
interface CachedInput<Name extends CachedName> extends Pick<CallInput<Name>, 'params' | 'query' | 'db'> {
  /** Null in cached responses. */
  caller: (typeof routes)[Name] extends { cache: 'anonymous' } ? Caller | null : null
  /** The cache key: path and known parameters, sorted. */
  url: string
  /** Adds headers to the response. */
  addHeaders: (headers: Record<string, string>) => void
}

/** Returns the owner of an access token; null if the token is invalid or expired. */
type Identify = (db: Kysely<Database>, token: string, ip: string | null) => Promise<Caller | null>

export type Calls = ReturnType<typeof openCalls>

interface CallDeps {
  connections: Connections
  publicReads: PublicReads
  identify: Identify
  cache: ResponseCache
}

/**
 * Returns functions that register handlers for the calls of the contract. Access and input are checked first.
 *
 * @param app the scope with the prefix `/api`, to which the paths of the contract are relative
 */
export function openCalls(app: FastifyInstance, { connections, publicReads, identify, cache }: CallDeps) {
  const callers = new WeakMap<FastifyRequest, Caller | null>()
  const chooseDb = (name: RouteName) => (routes[name].method === 'GET' ? connections.read : connections.write)

  async function requireAccess(name: RouteName, request: FastifyRequest) {
    const token = bearerToken(request.headers.authorization)
    const caller = token ? await identify(chooseDb(name), token, normalizeIp(request.ip)) : null
    const hasOrderKey = request.headers['order-key'] !== undefined
    const error = refuseAccess(routes[name], caller, { email: namedEmail(request), hasOrderKey })
    if (error) throw new ShopError(error)
    callers.set(request, caller)
  }

  async function run<Name extends RouteName>(
    name: Name,
    handler: Handler<Name>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const caller = callers.get(request) ?? null
    const { background } = connections
    const db = chooseDb(name)
    const input = { ...parse(name, request), caller, db, background, request, reply } as CallInput<Name>
    const response = schemas[name].reply.parse(await handler(input))
    const { method, readsOnly }: Route = routes[name]
    if (method !== 'GET' && !readsOnly) markChange(reply, cache)
    return response
  }

  /** Upload routes get their own scope, because their content types and limits differ. */
  function mount(name: RouteName, options: RouteOptions) {
    const { upload, maxBodyBytes }: Route = routes[name]
    if (maxBodyBytes) options.bodyLimit = maxBodyBytes
    if (upload)
      void app.register(async (scope) =>
        takeUpload(scope, upload).route({ ...options, config: { isUpload: true } }),
      )
    else app.route(options)
  }

  const url = (name: RouteName) => routes[name].path.replaceAll(/\{(\w+)\}/g, ':$1')

  return {
    handle<Name extends Exclude<RouteName, CachedName>>(name: Name, handler: Handler<Name>): void {
      mount(name, {
        method: routes[name].method,
        url: url(name),
        onRequest: (request) => requireAccess(name, request),
        handler: (request, reply) => run(name, handler, request, reply),
      })
    },

    /** For calls with `cache` in the contract. Their responses are cached like pages. */
    cached<Name extends CachedName>(
      name: Name,
      handler: (input: CachedInput<Name>) => ReturnType<Handler<Name>>,
    ): void {
      const { query, reply: replySchema }: CallSchema = schemas[name]
      const { cache: rule }: Route = routes[name]
      const dependsOnCaller = rule === 'anonymous'
      const parameters = Object.keys(query?.shape ?? {})
      const toKey = createCacheKeys(() => parameters)
      /** An id can be encoded in several ways: all of them have one key. */
      const toPath = (params: Record<string, string>) =>
        routes[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))

      /** The query comes from the key, so that equal keys have equal responses. */
      function parseKey(key: string, { params }: FastifyRequest) {
        const values = new URLSearchParams(key.split('?')[1])
        const query = Object.fromEntries(
          [...values.keys()].map((each) => {
            const [value, ...others] = values.getAll(each)
            return [each, others.length > 0 ? [value, ...others] : value]
          }),
        )
        return parse(name, { params, query })
      }

      async function read(
        key: string,
        request: FastifyRequest,
        db: Kysely<Database>,
        caller: Caller | null = null,
      ) {
        const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
        const addHeaders = (more: Record<string, string>) => void Object.assign(headers, more)
        const input = { ...parseKey(key, request), caller, db, url: key, addHeaders } as CachedInput<Name>
        return { headers, response: await handler(input) }
      }

      app.route({
        method: routes[name].method,
        url: url(name),
        config: dependsOnCaller ? {} : { hasOwnLimit: true },
        handler: async (request, reply) => {
          const queryStart = request.url.indexOf('?')
          const search = queryStart === -1 ? '' : request.url.slice(queryStart)
          const key = toKey(`/api${toPath(request.params as Record<string, string>)}${search}`)
          const token = bearerToken(request.headers.authorization)
          if (dependsOnCaller && token !== null) {
            const caller = await identify(connections.read, token, normalizeIp(request.ip))
            const { headers, response } = await read(key, request, connections.read, caller)
            return reply.headers(headers).send(replySchema.parse(response))
          }
          const source = {
            read: (fresh: boolean) => publicReads(fresh, (db) => read(key, request, db)),
            render: async ({ headers, response }: Awaited<ReturnType<typeof read>>) =>
              prepareResponse({
                status: 200,
                headers,
                body: Buffer.from(JSON.stringify(replySchema.parse(response))),
              }),
          }
          return sendCached(cache, key, source, request, reply)
        },
      })
    },

    /** Registers several calls with the same method and path. The body decides which one is made. */
    handleByBody<Name extends RouteName>(
      choose: (body: unknown) => Name,
      handlers: { [Each in Name]: Handler<Each> },
    ): void {
      const first = Object.keys(handlers)[0] as Name
      app.route({
        method: routes[first].method,
        url: url(first),
        handler: async (request, reply) => {
          const name = choose(request.body)
          await requireAccess(name, request)
          return run(name, handlers[name], request, reply)
        },
      })
    },
  }
}

/** Validates the parts of a request that the call reads. */
function parse(name: RouteName, request: Partial<FastifyRequest>) {
  const { params, query, headers, body }: CallSchema = schemas[name]
  return {
    params: params && parsed(params, request.params),
    query: query && parsed(query, request.query),
    headers: headers && parsed(headers, request.headers),
    body: body && parsed(body, request.body),
  }
}

/**
 * Returns the email in the path or query: the customer whose record is requested. It is trimmed as by the schemas, so that the
 * handler reads the same email.
 */
function namedEmail(request: FastifyRequest): string | undefined {
  const { email } = { ...(request.query as object), ...(request.params as object) } as { email?: unknown }
  return typeof email === 'string' ? trimLine(email).toLowerCase() : undefined
}
