import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type * as z from 'zod/mini'
import { type ErrorBody, errors } from '../contract/errors.ts'
import { type RouteName, routes } from '../contract/routes.ts'
import type { Schemas } from '../contract/schemas.ts'
import { type Config, readConfig } from '../server/config.ts'
import { openShop, type Shop } from '../server/shop.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { freePort } from './free-port.ts'

export interface CallOptions {
  /** Who calls: their access token. */
  as?: { token: string }
  params?: Record<string, string>
  query?: Record<string, string | number>
  headers?: Record<string, string>
  body?: unknown
}

export interface Answer<Body> {
  status: number
  body: Body
  headers: Headers
}

/** What the contract answers, or the one error shape. */
type Reply<Name extends RouteName> = z.output<Schemas[Name]['reply']> & Partial<ErrorBody>

export interface TestShop extends Pick<Shop, 'app' | 'accessTokens' | 'payments' | 'settings'> {
  database: TestDatabase
  db: TestDatabase['db']
  config: Config
  /** Makes a call of the contract over HTTP, as a browser does. */
  call<Name extends RouteName>(name: Name, options?: CallOptions): Promise<Answer<Reply<Name>>>
  /** Any request; a body is sent as JSON. */
  request<Body>(method: string, path: string, options?: Omit<CallOptions, 'params'>): Promise<Answer<Body>>
  close(): Promise<void>
}

/** Opens a real shop on a real Postgres and a free port, with the payment sandbox, and without the pages. */
export async function openTestShop(changes: Partial<Config> = {}): Promise<TestShop> {
  const database = await openTestDatabase({ poolSize: 4 })
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-test-'))
  const port = await freePort()
  const environment = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DEMO: '0',
    LOG_LEVEL: 'silent',
  }
  const config = { ...readConfig(environment), ...changes }
  const shop = await openShop(config, null, pino({ level: config.logLevel }))

  async function request<Body>(
    method: string,
    path: string,
    options: Omit<CallOptions, 'params'> = {},
  ): Promise<Answer<Body>> {
    const { as, query, headers, body } = options
    const search = query
      ? `?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`
      : ''
    const response = await fetch(`${config.origin}${path}${search}`, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
  }

  return {
    ...shop,
    database,
    config,
    request,
    call: (name, { params = {}, ...options } = {}) =>
      request(
        routes[name].method,
        `/api${routes[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))}`,
        options,
      ),
    async close() {
      await shop.close()
      await database.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** The whole answer to a refusal. */
export function refused(code: keyof typeof errors, more: object = {}) {
  const { status, message } = errors[code]
  return { status, body: { code, message, ...more } }
}
