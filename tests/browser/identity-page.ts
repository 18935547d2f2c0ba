import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { build, type Rolldown } from 'vite'
import { openGoogleSandbox } from '../../sandboxes/google/google.ts'
import { addSecurityHeaders } from '../../server/http/security-headers.ts'
import { openIdentity } from '../../server/modules/identity/service.ts'
import { createDatabase } from '../../server/platform/database/database.ts'
import { migrate } from '../../server/platform/database/migrations.ts'
import { openEmbeddedPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts'
import { handleErrors } from '../../server/platform/errors.ts'
import { freePort } from '../free-port.ts'

const root = path.join(import.meta.dirname, '../..')

const page =
  '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><script type="module" src="/start.js"></script>'
const start = "import * as provider from '/provider.js'; window.provider = provider"

export interface IdentityPage {
  origin: string
  close(): Promise<void>
}

/**
 * A bare page with the shop's headers and the browser's half of the sign-in (`window.provider`), and the identity
 * provider behind it, on a database of its own.
 */
export async function openIdentityPage(): Promise<IdentityPage> {
  const cleanup = new AsyncDisposableStack()
  try {
    return { origin: await open(cleanup), close: () => cleanup.disposeAsync() }
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

async function open(cleanup: AsyncDisposableStack): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'identity-test-'))
  cleanup.defer(async () => rmSync(dataDir, { recursive: true, force: true }))
  const postgres = await openEmbeddedPostgres({ dataDir, database: 'identity', durable: false })
  cleanup.defer(async () => rmSync(postgres.folder, { recursive: true, force: true }))
  cleanup.defer(async () => void (await postgres.stop()))
  const database = createDatabase(postgres.url, { poolSize: 5 })
  cleanup.defer(database.close)
  await migrate(database, path.join(root, 'db/migrations'))

  const port = await freePort()
  const origin = `http://localhost:${port}`
  const secrets = ['the secret of this test, long enough to be one'] as const
  const app = Fastify()
  const provider = await openIdentity({
    pool: database.pool,
    db: database.db,
    outbox: null,
    voidAccessTokens: async () => undefined,
    changeCustomerEmail: async () => undefined,
    origin,
    secrets,
    google: openGoogleSandbox({ origin, secrets, verifiesEmails: true }),
    mergeSignInMessages: false,
    log: app.log,
  })
  addSecurityHeaders(app, origin)
  handleErrors(app)
  provider.routes(app)
  const source = path.join(root, 'web/features/identity/provider.ts')
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: source, formats: ['es'], fileName: 'provider' } },
  })
  const script = (built as Rolldown.RolldownOutput[])[0]?.output[0].code
  app.get('/provider.js', (_request, reply) => reply.type('text/javascript').send(script))
  app.get('/start.js', (_request, reply) => reply.type('text/javascript').send(start))
  app.get('/', (_request, reply) =>
    reply.type('text/html').header('content-security-policy', "default-src 'self'; img-src data:").send(page),
  )
  cleanup.defer(() => app.close())
  await app.listen({ host: 'localhost', port })
  return origin
}
