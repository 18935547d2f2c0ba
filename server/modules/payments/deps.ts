import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { PaymentGateway } from './gateway.ts'

/** What taking and giving back money needs. */
export interface PaymentDeps {
  db: Kysely<Database>
  gateway: PaymentGateway
  log: FastifyBaseLogger
}
