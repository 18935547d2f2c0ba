import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type * as z from 'zod/mini'
import { type Route, type RouteName, routes } from '../../contract/routes.ts'
import { type CallSchema, type Schemas, schemas } from '../../contract/schemas.ts'
import { type CacheDeps, markChange } from '../pages/send-cached.ts'
import { ShopError } from '../platform/errors.ts'
import { normalizeIp } from '../platform/ip.ts'
import { parsed } from '../platform/parse-request.ts'
import { takeUpload } from '../platform/request-limits.ts'
import { bearerToken, type Caller, refuseAccess } from './access.ts'
import { type CachedHandler, type CachedName, handleCached } from './cached-calls.ts'

type Part<Name extends RouteName, Key extends string> =
  Schemas[Name] extends Record<Key, infer Schema extends z.ZodMiniType> ? z.output<Schema> : undefined

type CallerFor<Name extends RouteName> = (typeof routes)[Name]['access'] extends 'public'
  ? Caller | null
  : Caller

/** Input of a handler, after the access check and the validation. */
interface CallInput<Name extends RouteName> {
  params: Part<Name, 'params'>
  query: Part<Name, 'query'>
  headers: Part<Name, 'headers'>
  body: Part<Name, 'body'>
  caller: CallerFor<Name>
  request: FastifyRequest
  reply: FastifyReply
}

type Handler<Name extends RouteName> = (input: CallInput<Name>) => Promise<z.input<Schemas[Name]['reply']>>

/** Returns the owner of an access token; null if the token is invalid or expired. */
type Identify = (token: string, ip: string | null) => Promise<Caller | null>

/** Registers handlers for the calls of the contract. Access and input are checked first. */
export interface Calls {
  handle<Name extends Exclude<RouteName, CachedName>>(name: Name, handler: Handler<Name>): void
  /** For calls with `cache: true` in the contract. Their responses do not depend on the caller. */
  cached<Name extends CachedName>(name: Name, handler: CachedHandler<Name>): void
  /** Registers several calls with the same method and path. The body decides which one is made. */
  handleByBody<Name extends RouteName>(
    choose: (body: unknown) => Name,
    handlers: { [Each in Name]: Handler<Each> },
  ): void
}

/** @param app the scope with the prefix `/api`, to which the paths of the contract are relative */
export function openCalls(app: FastifyInstance, identify: Identify, cache: CacheDeps): Calls {
  const callers = new WeakMap<FastifyRequest, Caller | null>()

  async function requireAccess(name: RouteName, request: FastifyRequest) {
    const token = bearerToken(request.headers.authorization)
    const caller = token ? await identify(token, normalizeIp(request.ip)) : null
    const error = refuseAccess(routes[name].access, caller, namedEmail(request))
    if (error) throw new ShopError(error)
    callers.set(request, caller)
  }

  async function run<Name extends RouteName>(
    name: Name,
    handler: Handler<Name>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const schema: CallSchema = schemas[name]
    const parse = (part: 'params' | 'query' | 'headers' | 'body') =>
      schema[part] && parsed(schema[part], request[part])
    const input = {
      params: parse('params'),
      query: parse('query'),
      headers: parse('headers'),
      body: parse('body'),
      caller: callers.get(request) ?? null,
      request,
      reply,
    } as CallInput<Name>
    const response = schema.reply.parse(await handler(input))
    if (routes[name].method !== 'GET') markChange(reply, cache.maxAgeSeconds)
    return response
  }

  /** Upload routes get their own scope, because their content types and limits differ. */
  function mount(name: RouteName, options: RouteOptions) {
    const { upload }: Route = routes[name]
    if (upload) void app.register(async (scope) => takeUpload(scope, upload).route(options))
    else app.route(options)
  }

  const url = (name: RouteName) => routes[name].path.replaceAll(/\{(\w+)\}/g, ':$1')

  return {
    handle(name, handler) {
      mount(name, {
        method: routes[name].method,
        url: url(name),
        onRequest: (request) => requireAccess(name, request),
        handler: (request, reply) => run(name, handler, request, reply),
      })
    },
    cached(name, handler) {
      app.route({
        method: routes[name].method,
        url: url(name),
        config: { hasOwnLimit: true },
        handler: handleCached(name, handler, cache),
      })
    },
    handleByBody<Name extends RouteName>(
      choose: (body: unknown) => Name,
      handlers: { [Each in Name]: Handler<Each> },
    ) {
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

/** Returns the email in the path or query: the customer whose record is requested. */
function namedEmail(request: FastifyRequest): string | undefined {
  const { email } = { ...(request.query as object), ...(request.params as object) } as { email?: unknown }
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined
}
