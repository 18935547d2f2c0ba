import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import type { JWK } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { openGoogleSandbox } from '../sandboxes/google/google.ts'
import { addSecurityHeaders } from '../server/http/security-headers.ts'
import { identityLimits, type Limits } from '../server/modules/identity/options.ts'
import { type Identity, type IdentityOptions, openIdentity } from '../server/modules/identity/service.ts'
import { handleErrors } from '../server/platform/errors.ts'
import { openLog } from '../server/platform/telemetry/log.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

export const origin = 'http://localhost:3000'
export const secret = 'a secret of the tests, long enough to be one'

export interface TestResponse {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** Parsed JSON; each response has some of these fields. */
  body: TestResponseBody
}

interface TestResponseBody {
  code: string
  message: string
  token: string
  keys: JWK[]
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A browser with its cookies. */
export interface TestBrowser {
  send(
    method: Method,
    path: string,
    body?: object | string,
    headers?: Record<string, string>,
  ): Promise<TestResponse>
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>
  post(path: string, body: object | string, headers?: Record<string, string>): Promise<TestResponse>
  /** Follows redirects with GET, like a popup, until a page loads. Returns the path of that page too. */
  follow(path: string): Promise<TestResponse & { path: string }>
  cookies: Map<string, string>
}

export interface AuthServer {
  app: FastifyInstance
  provider: Identity
  database: TestDatabase
  /** Returns all log lines so far, including trace level. */
  logged(): string
  browser(ip?: string): TestBrowser
  close(): Promise<void>
}

export type AuthServerOptions = Partial<Omit<IdentityOptions, 'pool' | 'db' | 'log'>>

/**
 * Opens the identity provider in a Fastify app, with rate limits that tests do not reach.
 *
 * @param shared database of another instance, to simulate two processes of a shop; by default a new one
 */
export async function openAuthServer(
  options: AuthServerOptions = {},
  shared?: TestDatabase,
): Promise<AuthServer> {
  const database = shared ?? (await openTestDatabase())
  let log = ''
  const logger = openLog('trace', { write: (line: string) => void (log += line) })
  const provider = await openIdentity({
    pool: database.pool,
    db: database.db,
    outbox: null,
    voidAccessTokens: async () => undefined,
    clearCustomer: async () => undefined,
    changeCustomerEmail: async () => undefined,
    origin,
    secrets: [secret],
    google: openGoogleSandbox({
      origin: options.origin ?? origin,
      secrets: options.secrets ?? [secret],
      verifiesEmails: true,
    }),
    mergeSignInMessages: false,
    log: logger,
    limits: wideLimits(),
    ...options,
  })
  const app = Fastify({ loggerInstance: logger })
  addSecurityHeaders(app, origin)
  handleErrors(app)
  provider.routes(app)
  return {
    app,
    provider,
    database,
    logged: () => log,
    browser: (ip = '192.0.2.1') => openBrowser(app, options.origin ?? origin, ip),
    async close() {
      await app.close()
      if (!shared) await database.close()
    },
  }
}

/**
 * Opens the server of a test file, and empties its database before each test. Call it at the top of the file.
 *
 * @param neverLogged a test fails if the log matches
 */
export function useAuthServer(options?: AuthServerOptions, neverLogged?: RegExp): AuthServer {
  const server = {} as AuthServer
  beforeAll(async () => void Object.assign(server, await openAuthServer(options)))
  beforeEach(() => server.database.empty())
  if (neverLogged) afterEach(() => expectNeverLogged(server, neverLogged))
  afterAll(() => server.close())
  return server
}

/** Expects that the log has no match. The error contains the match, not the log. */
export const expectNeverLogged = ({ logged }: AuthServer, neverLogged: RegExp) =>
  expect(neverLogged.exec(logged())?.[0], 'a match in the log').toBeUndefined()

export const wideLimits = (): Limits =>
  Object.fromEntries(
    Object.keys(identityLimits).map((name) => [name, { max: 100_000, seconds: 60 }]),
  ) as Limits

/** Opens a browser without cookies, which sends its requests to this server from this IP. */
export function openBrowser(app: FastifyInstance, publicOrigin: string, remoteAddress: string): TestBrowser {
  const cookies = new Map<string, string>()

  async function request(options: InjectOptions): Promise<TestResponse> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await app.inject({
      ...options,
      remoteAddress,
      headers: { ...(cookie && { cookie }), ...options.headers },
    })
    for (const line of [response.headers['set-cookie'] ?? []].flat()) storeCookie(cookies, line)
    const isJson = String(response.headers['content-type']).includes('json')
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: isJson ? response.json() : Object.create(null),
    }
  }

  const browser: TestBrowser = {
    cookies,
    send: (method, path, body, headers = {}) =>
      request({
        method,
        url: path,
        payload: typeof body === 'object' ? JSON.stringify(body) : body,
        headers: {
          origin: publicOrigin,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      }),
    get: (path, headers = {}) => request({ method: 'GET', url: path, headers }),
    post: (path, body, headers) => browser.send('POST', path, body, headers),
    async follow(path) {
      const response = await browser.get(path)
      const { location } = response.headers
      if (typeof location !== 'string') return { ...response, path }
      return browser.follow(location.replace(publicOrigin, ''))
    },
  }
  return browser
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const [name = '', ...value] = pair.split('=')
  if (attributes.some((attribute) => attribute.toLowerCase() === 'max-age=0')) cookies.delete(name)
  else cookies.set(name, value.join('='))
}
