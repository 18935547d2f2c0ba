import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { type RouteName, routes } from '../contract/routes.ts'
import { type CallSchema, type Schemas, schemas } from '../contract/schemas.ts'
import { bearerToken } from './guards.ts'
import { sendKept } from './kept-answer.ts'
import { addressMemory } from './page-address.ts'
import type { PageCache, PageSource } from './page-cache.ts'
import { type ReadyPage, readyPage } from './page-reply.ts'
import type { Shows } from './platform/changes.ts'
import { errorBody, isDatabaseAway, sayAway } from './platform/errors.ts'
import { parsed } from './platform/parsed.ts'

/** The calls of which the contract says that their answer is kept. */
export type KeptName = {
  [Name in RouteName]: (typeof routes)[Name] extends { access: 'public'; kept: true } ? Name : never
}[RouteName]

type Part<Name extends KeptName, Key extends string> =
  Schemas[Name] extends Record<Key, infer Schema extends z.ZodMiniType> ? z.output<Schema> : undefined

/** What the answer may depend on, and nothing else: not who asks, nor any header. */
export interface KeptInput<Name extends KeptName> {
  params: Part<Name, 'params'>
  query: Part<Name, 'query'>
  /** With the parameters that the call knows, in one order. */
  address: string
  /** Adds headers to the answer. */
  headers: (more: Record<string, string>) => void
  /** Names what the answer shows. */
  shows: Shows
}

export type KeptHandler<Name extends KeptName> = (
  input: KeptInput<Name>,
) => Promise<z.input<Schemas[Name]['reply']>>

/** Where answers are kept. */
export interface Memory {
  cache: PageCache
  /** Resolves when this process has heard of everything that was changed until now, by whichever process. */
  catchUp: () => Promise<void>
}

/** Browsers may keep an answer, and ask each time whether it is still the same. */
const askEachTime = 'public, no-cache'
const json = { 'content-type': 'application/json; charset=utf-8' }

const unavailable: ReadyPage = readyPage({
  status: 503,
  headers: { ...json, 'retry-after': '2' },
  body: Buffer.from(JSON.stringify(errorBody('UNAVAILABLE'))),
})

/** Answers a call from memory until something changes that the answer shows. */
export function keepAnswers<Name extends KeptName>(
  name: Name,
  handler: KeptHandler<Name>,
  { cache, catchUp }: Memory,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { reply: answer, ...schema }: CallSchema = schemas[name]
  const known = addressMemory()

  function read({ params, query }: FastifyRequest) {
    return {
      params: schema.params && parsed(schema.params, params),
      query: schema.query && parsed(schema.query, query),
    } as Pick<KeptInput<Name>, 'params' | 'query'>
  }

  function addressOf(request: FastifyRequest): string {
    const found = known.get(request.url)
    if (found !== undefined) return found
    const { params, query } = read(request)
    const address = canonical(routes[name].path, params ?? {}, query ?? {})
    known.set(request.url, address)
    return address
  }

  async function render(address: string, request: FastifyRequest, shows: Shows): Promise<ReadyPage> {
    const headers: Record<string, string> = { ...json }
    const input = { address, shows, headers: (more: typeof headers) => void Object.assign(headers, more) }
    const body = answer.parse(await handler({ ...read(request), ...input }))
    return readyPage({ status: 200, headers, body: Buffer.from(JSON.stringify(body)) }, askEachTime)
  }

  const sourceOf = (address: string, request: FastifyRequest): PageSource => ({
    unavailable,
    render: (shows) =>
      render(address, request, shows).catch((error: unknown) => {
        if (!isDatabaseAway(error)) throw error
        sayAway(request.log, error)
        return unavailable
      }),
  })

  return async (request, reply) => {
    const address = addressOf(request)
    // Whoever is signed in may have changed something a moment ago, at another process.
    if (bearerToken(request.headers.authorization)) await catchUp()
    return sendKept(cache, address, sourceOf(address, request), request, reply)
  }
}

type Values = Record<string, string | number | undefined>

function canonical(path: string, params: Values, query: Values): string {
  const ofThis = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, `${value}`)
  parameters.sort()
  return `/api${ofThis}${parameters.size > 0 ? `?${parameters}` : ''}`
}
