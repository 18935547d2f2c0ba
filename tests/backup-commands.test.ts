import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  deriveStorageKeys,
  encryptAppKey,
  generateAppKey,
} from '../server/modules/customers/two-step/codes.ts'
import { createAccessTokens } from '../server/modules/identity/access-token.ts'
import {
  type Account,
  canEnter,
  chownTo,
  findServerAccount,
  isRoot,
} from '../server/platform/embedded-postgres/server-folder.ts'
import { type Child, startChild } from './child.ts'
import { openTestDatabase } from './database.ts'
import { aCustomer, anAdmin } from './factories.ts'
import { openS3Server } from './s3-server.ts'
import {
  baseEnvironment,
  openShopProcesses,
  project,
  type ShopProcesses,
  testSecret,
} from './shop-process.ts'

let shops: ShopProcesses
let folder: string

beforeEach(() => {
  shops = openShopProcesses()
  folder = path.join(path.dirname(shops.dataDir), 'backups')
  mkdirSync(folder, { mode: 0o777 })
})
afterEach(() => shops.remove())

/** Starts a command; `settings` are added to its environment. */
function start(
  name: string,
  args: string[],
  settings: Record<string, string> = {},
  account?: Account,
): Child {
  const env = { ...baseEnvironment, DATA_DIR: shops.dataDir, ...settings }
  return startChild(process.execPath, [`server/commands/${name}.ts`, ...args], { cwd: project, env, account })
}

/** Returns the output of a command after it has ended with this exit code. */
async function run(child: Child, code = 0): Promise<string> {
  const end = await child.ended
  expect([end, child.printed()]).toEqual([code, expect.anything()])
  return child.printed()
}

const accounts = [undefined, ...(isRoot ? [findServerAccount()].filter((one) => canEnter(one, project)) : [])]

describe.each(accounts.map((account) => ({ account, who: account ? `uid ${account.uid}` : 'ourselves' })))(
  'as $who',
  ({ account }) => {
    test('backs up and restores with and without a running shop, and leaves no process running', async () => {
      const parent = path.dirname(shops.dataDir)
      if (account) chownTo(account, parent)
      // The account cannot write into the cache of the checkout.
      const settings: Record<string, string> = account
        ? { NODE_COMPILE_CACHE: path.join(parent, 'compiled') }
        : {}
      const file = path.join(folder, 'shop.backup')
      const shop = await shops.open(settings, account)
      expect(await run(start('backup', [file], settings, account))).toContain('Backup written to')
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(await run(start('restore', [file], settings, account), 1)).toContain('The database is not empty')
      expect(await run(start('restore', [file, '--replace'], settings, account))).toContain(
        'All users must log in again',
      )
      for (const place of ['/readyz', '/api/products']) {
        expect((await fetch(shop.origin + place)).status).toBe(200)
      }
      shop.child.signal('SIGTERM')
      expect(await shop.child.ended).toBe(0)

      await run(start('backup', [], settings, account))
      const [fileName = ''] = readdirSync(path.join(shops.dataDir, 'backups'))
      expect(fileName).toMatch(/^torque-yard-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/)
      const elsewhere = { ...settings, DATA_DIR: `${shops.dataDir}-2` }
      await run(start('restore', [path.join(shops.dataDir, 'backups', fileName)], elsewhere, account))
      expect(() => statSync(path.join(shops.dataDir, 'postgres/18/postmaster.pid'))).toThrow('ENOENT')
      const moved = await shops.open(elsewhere, account)
      expect(await (await fetch(`${moved.origin}/api/products`)).json()).toHaveLength(85)
    })
  },
)

describe('on an external Postgres', () => {
  test('reports an interrupted backup and leaves no incomplete file', async () => {
    const database = await openTestDatabase()
    try {
      const blocker = await database.pool.connect()
      await blocker.query('begin')
      await blocker.query('lock table orders')
      const backup = start('backup', [path.join(folder, 'x')], { DATABASE_URL: database.url })
      await expect.poll(() => readdirSync(folder)).toHaveLength(1)
      backup.signal('SIGTERM')
      expect(await run(backup, 1)).toBe('Interrupted. Nothing was changed.')
      blocker.release(true)
      expect(readdirSync(folder)).toEqual([])
    } finally {
      await database.close()
    }
  })

  test('reports each problem in one sentence', async () => {
    const { url, close, pool } = await openTestDatabase()
    const settings = { DATABASE_URL: url }
    try {
      const there = path.join(folder, 'there')
      writeFileSync(there, '')
      expect(await run(start('backup', [there], settings), 1)).toBe(
        `${there} already exists. Choose another file name.`,
      )
      expect(await run(start('backup', [path.join(there, 'x')], settings), 1)).toContain("can't be written")
      expect(await run(start('restore', [], settings), 1)).toContain('Usage: npm run restore')
      expect(await run(start('restore', ['--force', there], settings), 1)).toContain('Usage: npm run restore')
      await pool.query('drop schema public, identity, sandbox cascade')
      expect(await run(start('backup', [path.join(folder, 'y')], settings), 1)).toContain(
        'The database has no shop tables',
      )
    } finally {
      await close()
    }
  })

  test('a restore with another secret names the staff whose two-step login must be reset, which a command does', async () => {
    const database = await openTestDatabase()
    const settings = { DATABASE_URL: database.url }
    try {
      const accessTokens = createAccessTokens({ secrets: [testSecret] })
      const { id, email } = await anAdmin({ db: database.db, accessTokens })
      const secret = await encryptAppKey(generateAppKey(), deriveStorageKeys([testSecret]))
      const login = { customer_id: id, secret, last_step: 1, confirmed_at: new Date() }
      await database.db.insertInto('two_step_logins').values(login).execute()
      const passed = { issuer: 'test', sid: 's1', customer_id: id }
      await database.db.insertInto('two_step_sign_ins').values(passed).execute()
      const file = path.join(folder, 'two-step')
      await run(start('backup', [file], settings))
      const restore = (SHOP_SECRET: string) =>
        run(start('restore', [file, '--replace'], { ...settings, SHOP_SECRET }))
      expect(await restore(testSecret)).not.toContain('two-step')
      expect(await database.db.selectFrom('two_step_sign_ins').select('sid').execute()).toEqual([])
      // The next start may be one without migrations.
      const { rows: guards } = await database.pool.query(
        'select from pg_db_role_setting join pg_database on pg_database.oid = setdatabase where datname = current_database()',
      )
      expect(guards).toHaveLength(1)
      expect(await restore('another secret, which is just as long')).toContain(
        `The two-step login of ${email} was set up with another SHOP_SECRET. Run: npm run reset-two-step -- ${email}`,
      )
      const reset = (args: string[], code?: number) => run(start('reset-two-step', args, settings), code)
      expect(await reset([], 1)).toBe('Usage: npm run reset-two-step -- jane@example.com')
      expect(await reset([email])).toContain(`The two-step login of ${email} was removed.`)
      expect(await reset([email])).toBe(`${email} has no two-step login.`)
      expect(await reset(['missing@example.com'], 1)).toBe('No user has this email.')
    } finally {
      await database.close()
    }
  })

  test('make-admin --owner gives a shop another owner, and records it', async () => {
    const database = await openTestDatabase()
    const settings = { DATABASE_URL: database.url }
    try {
      const shop = { db: database.db, accessTokens: createAccessTokens({ secrets: [testSecret] }) }
      await anAdmin(shop)
      const { id, email } = await aCustomer(shop)
      const makeAdmin = (args: string[], code?: number) => run(start('make-admin', args, settings), code)
      for (const args of [[], ['--owners', email], [email, email]])
        expect(await makeAdmin(args, 1)).toMatch(/^Usage: npm run make-admin/)
      expect(await makeAdmin([email])).toBe(`${email} is now an admin.`)
      expect(await makeAdmin(['--owner', email.toUpperCase()])).toBe(`${email} is now an owner.`)
      expect(await makeAdmin(['--owner', email])).toBe(`${email} is already an owner.`)
      expect(await makeAdmin(['--owner', 'missing@example.com'], 1)).toBe('No user has this email.')
      const changes = database.db.selectFrom('role_changes').select(['role', 'granted_by'])
      expect(await changes.where('customer_id', '=', id).orderBy('id').execute()).toEqual([
        { role: 'admin', granted_by: 'command' },
        { role: 'owner', granted_by: 'command' },
      ])
    } finally {
      await database.close()
    }
  })

  test('moves pictures to a bucket; backups then do not contain them', async () => {
    const { url, close, pool } = await openTestDatabase()
    const { settings: s3, list, close: closeServer } = await openS3Server()
    const settings = {
      DATABASE_URL: url,
      S3_ENDPOINT: s3.endpoint,
      S3_REGION: s3.region,
      S3_BUCKET: s3.bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
    const inBucket = { ...settings, PICTURES: 's3' }
    const move = (args: string[], more: Record<string, string> = settings) =>
      start('move-pictures', args, more)
    try {
      const hash = 'a'.repeat(32)
      await pool.query(`insert into pictures (hash, widest) values ('${hash}', 320)`)
      for (const format of ['avif', 'webp', 'jpeg']) {
        await pool.query(`insert into picture_files values ('${hash}', 320, '${format}', '\\x00')`)
      }
      expect(await run(move([]), 1)).toContain('Usage: npm run move-pictures')
      expect(await run(move(['--to', 's3'], { DATABASE_URL: url }), 1)).toContain('requires S3_ENDPOINT')
      expect(await run(move(['--to', 's3', '--remove-source']), 1)).toContain('requires PICTURES=s3')
      expect(await run(move(['--to', 's3']))).toBe(
        'Compared 1 pictures, 3 files copied. Now set PICTURES=s3 and restart the shop.',
      )
      expect(list()).toHaveLength(3)
      await pool.query(`insert into pictures (hash, widest) values ('${'b'.repeat(32)}', 320)`)
      expect(await run(move(['--to', 's3']), 1)).toMatch(
        /^Picture b{32} has missing files\.\nCompared 2 pictures/,
      )
      await pool.query(`delete from pictures where hash = '${'b'.repeat(32)}'`)
      expect(await run(move(['--to', 's3', '--remove-source'], inBucket))).toContain('0 files copied')
      expect((await pool.query('select from picture_files')).rows).toEqual([])
      expect(await run(start('backup', [path.join(folder, 'z')], inBucket))).toContain(
        'Uploaded pictures are not in it. Back up the bucket shop-pictures too.',
      )
    } finally {
      await close()
      await closeServer()
    }
  })
})
