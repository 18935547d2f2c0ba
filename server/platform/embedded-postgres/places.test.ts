import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type EmbeddedPostgresFolder,
  makeEmbeddedPostgresFolder,
  query,
} from '../../../tests/embedded-postgres-folder.ts'
import { canEnter, chownTo, findServerAccount, isRoot } from './server-folder.ts'

let folder: EmbeddedPostgresFolder
afterEach(() => folder.remove())

const project = path.join(import.meta.dirname, '../../..')

/** The server's account if the tests run as root, else empty. */
const serverAccounts = isRoot ? [findServerAccount()] : []
/** Accounts that can read this checkout and therefore run the shop. */
const ordinaryUsers = serverAccounts.filter((account) => canEnter(account, project))

test.each([
  { who: 'the account that runs the tests', account: undefined },
  ...ordinaryUsers.map((account) => ({ who: 'an ordinary user', account })),
])('$who can create, stop and restart it', async ({ account }) => {
  folder = makeEmbeddedPostgresFolder(0o755, account)
  const created = await folder.start({ account })
  expect(created.how).toBe('created')
  await query(created.url, 'create table orders as select 1 as id')
  const password = path.join(created.folder, 'password')
  expect(statSync(password).mode & 0o777).toBe(0o600)
  expect(statSync(created.folder).mode & 0o777).toBe(0o700)
  created.child.signal('SIGTERM')
  expect(await created.child.ended).toBe(0)
  expect(created.child.printed()).toContain('"stopped"')
  const started = await folder.start({ account })
  expect(started.how).toBe('started')
  expect(await query(started.url, 'select id from orders')).toEqual([{ id: 1 }])
})

test('a data folder that is a file is rejected, with the fix', async () => {
  folder = makeEmbeddedPostgresFolder()
  writeFileSync(folder.dataDir, '')
  await expect(folder.open()).rejects.toThrow(
    `The data folder ${folder.dataDir} can't be written (ENOTDIR). Make it writable for this account, or set DATA_DIR to another folder.`,
  )
  rmSync(folder.dataDir)
})

test("a server that can't start is reported with its own reason, and a lost password file with the file to restore", async () => {
  folder = makeEmbeddedPostgresFolder()
  const server = await folder.open()
  await server.stop()
  const settings = path.join(server.folder, '18', 'postgresql.conf')
  const intact = readFileSync(settings)
  appendFileSync(settings, 'max_connections = several')
  await expect(folder.open()).rejects.toThrow(
    /^The embedded Postgres in .* could not start \(configuration file .* contains errors\)\. Fix this \(its log is .*\)/,
  )
  writeFileSync(settings, intact)

  const password = path.join(server.folder, 'password')
  renameSync(password, `${password}.lost`)
  await expect(folder.open()).rejects.toThrow(`Restore ${password}`)
  renameSync(`${password}.lost`, password)
})

describe.each(serverAccounts)('root, with uid $uid for its server', (account) => {
  test('below a folder that only root can enter, data is stored in the shared folder and found again', async () => {
    folder = makeEmbeddedPostgresFolder(0o700)
    const created = await folder.open()
    await query(created.url, 'create table orders as select 1 as id')
    expect(created.folder).toMatch(/^\/var\/lib\/embedded-postgres\//)
    expect(await created.stop()).toBe('stopped')
    const started = await folder.open()
    expect([started.how, started.folder]).toEqual(['started', created.folder])
    expect(await query(started.url, 'select id from orders')).toEqual([{ id: 1 }])
  })

  test('stores data in a private data folder that others can pass but not list', async () => {
    folder = makeEmbeddedPostgresFolder()
    mkdirSync(folder.dataDir, { mode: 0o700 })
    writeFileSync(path.join(folder.dataDir, 'secret'), 'of the shop', { mode: 0o600 })
    const server = await folder.open()
    expect(server.folder).toBe(path.join(folder.dataDir, 'postgres'))
    expect(statSync(folder.dataDir).mode & 0o777).toBe(0o701)
  })

  test('does not make a private data folder with readable files accessible', async () => {
    folder = makeEmbeddedPostgresFolder()
    mkdirSync(folder.dataDir, { mode: 0o700 })
    writeFileSync(path.join(folder.dataDir, 'letters'), '', { mode: 0o644 })
    const server = await folder.open()
    expect(server.folder).toMatch(/^\/var\/lib\/embedded-postgres\//)
    expect(statSync(folder.dataDir).mode & 0o777).toBe(0o700)
  })

  test('missing data in the shared folder is not replaced by an empty database', async () => {
    folder = makeEmbeddedPostgresFolder(0o700)
    const server = await folder.open()
    await server.stop()
    rmSync(server.folder, { recursive: true })
    await expect(folder.open()).rejects.toThrow('points to a missing folder. Restore that folder')
    unlinkSync(path.join(folder.dataDir, 'postgres'))
  })

  test('runs the database of a normal user as that user', async () => {
    folder = makeEmbeddedPostgresFolder(0o755, account)
    mkdirSync(path.join(folder.dataDir, 'postgres'), { recursive: true })
    chownTo(account, folder.dataDir)
    const server = await folder.open()
    expect(statSync(path.join(server.folder, '18')).uid).toBe(account.uid)
  })

  test('reports a database whose folder is not accessible to its owner', async () => {
    folder = makeEmbeddedPostgresFolder()
    await (await folder.open()).stop()
    chmodSync(path.dirname(folder.dataDir), 0o700)
    await expect(folder.open()).rejects.toThrow(/can't be reached by the account it belongs to \(uid \d+\)/)
    chmodSync(path.dirname(folder.dataDir), 0o755)
  })
})

describe.each(ordinaryUsers)('a normal user, uid $uid,', (account) => {
  test('gets an error for the database of another account', async () => {
    folder = makeEmbeddedPostgresFolder()
    mkdirSync(path.join(folder.dataDir, 'postgres'), { recursive: true })
    chmodSync(folder.dataDir, 0o777)
    await expect(folder.start({ account })).rejects.toThrow(
      'belongs to another account. Start the shop as that account',
    )
  })

  test('gets an error for a read-only data folder', async () => {
    folder = makeEmbeddedPostgresFolder()
    await expect(folder.start({ account })).rejects.toThrow(
      `The data folder ${folder.dataDir} can't be written (EACCES)`,
    )
  })
})
