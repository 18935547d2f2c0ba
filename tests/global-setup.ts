import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { escapeIdentifier } from 'pg'
import type { TestProject } from 'vitest/node'
import { createDatabase } from '../server/platform/database/database.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import { asAdmin, databaseUrl } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres server and its migrated template database, which each test file copies. */
    testServer: { url: string; template: string }
  }
}

const migrations = path.join(import.meta.dirname, '../db/migrations')

/** Starts a throwaway Postgres once for all test files, or uses the one that TEST_POSTGRES_URL names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer()
  const template = `test_${randomBytes(6).toString('hex')}`
  await makeTemplate(server.url, template)
  project.provide('testServer', { url: server.url, template })
  return async () => {
    await dropAll(server.url, template)
    await server.close()
  }
}

async function openServer(): Promise<{ url: string; close(): Promise<void> }> {
  const url = process.env.TEST_POSTGRES_URL
  if (url) return { url, close: async () => undefined }
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'throwaway-postgres.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true, // Ctrl-C must not stop it: it stops when this process has ended.
  })
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    return {
      url: line,
      async close() {
        child.stdin.end()
        await ended
      },
    }
  }
  throw new Error('The Postgres of the tests did not start. Its output is above.')
}

async function makeTemplate(server: string, template: string): Promise<void> {
  await asAdmin(server, `create database ${escapeIdentifier(template)}`)
  const database = createDatabase(databaseUrl(server, template), { poolSize: 2 })
  try {
    await migrate(database, migrations)
  } finally {
    await database.close()
  }
}

/** Drops the template, and the databases that interrupted test files have left. */
async function dropAll(server: string, template: string): Promise<void> {
  const { db, close } = createDatabase(server, { poolSize: 1 })
  try {
    const { rows } = await sql<{ datname: string }>`
      select datname from pg_database where starts_with(datname, ${template})`.execute(db)
    for (const { datname } of rows) {
      await sql.raw(`drop database ${escapeIdentifier(datname)} with (force)`).execute(db)
    }
  } finally {
    await close()
  }
}
