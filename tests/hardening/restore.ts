import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { OpenDatabase } from '../../server/platform/database/database.ts'
import { digest } from '../backups.ts'
import { type BackupCommands, openBackupCommands, openSecondDatabase } from './backup-commands.ts'
import type { Check, Finding } from './check.ts'
import { brokenRules } from './invariants.ts'
import { inLanes } from './parallel.ts'
import { openRandom, type Random } from './random.ts'
import { openShopUnderTest, untilTrue } from './shop-under-test.ts'
import { openWorkload, runIteration, type Workload } from './shopping.ts'

const sizes = {
  small: { iterations: 200, backups: 2, kills: 1, rows: 12_000 },
  full: { iterations: 3_000, backups: 10, kills: 20, rows: 300_000 },
}
const fewRows = 3_000
/**
 * Allowed growth by garbage that is not collected yet: V8 collects buffers after 64 MiB, and its heap grows a little. The
 * rows of a full run are about 100 MiB.
 */
const growthMiB = 80

/** Takes backups during purchases, restores each into another database, and kills restores while they load rows. */
export const restore: Check = {
  name: 'restore',
  async run(size, print, seed) {
    const { iterations, backups, kills, rows } = sizes[size]
    const shop = await openShopUnderTest()
    const workload = await openWorkload(shop, seed, { buyers: 40, products: 8 })
    const commands = openBackupCommands()
    const second = await openSecondDatabase(shop)
    const violations: string[] = []

    const shopping = inLanes(Array(iterations).keys(), 8, (number) => runIteration(workload, number))
    const files: { file: string; received: string[] }[] = []
    while (files.length < backups) {
      const [file, received] = [commands.newFile(), [...workload.orders.keys()]]
      await commands.run('backup', [file], shop.databaseUrl)
      files.push({ file, received })
    }
    await shopping
    for (const [index, { file, received }] of files.entries()) {
      print(`restoring backup ${index + 1} of ${files.length}`)
      await commands.run('restore', [file, '--replace'], second.url)
      violations.push(
        ...(await brokenRules(second.db)),
        ...(await findLostOrders(second, workload, received)),
      )
    }

    print(`${rows} rows`)
    // The rows of the small size are fewer bytes than the allowed growth.
    const memory = size === 'full' ? await compareMemory(commands, second, rows) : null
    const file = memory?.file ?? (await backUpRows(commands, second, rows)).file
    violations.push(
      ...(memory?.violations ?? []),
      ...(await killRestores(commands, second, file, kills, openRandom(seed), print)),
    )
    return {
      figures: [
        { what: 'backups during purchases by 8 buyers', measured: `${files.length}` },
        { what: 'orders in the last backup', measured: `${files.at(-1)?.received.length} or more` },
        ...(memory?.figures ?? []),
        { what: 'restores killed (-9) partway', measured: `${kills}` },
      ],
      violations,
    }
  },
}

const mib = (amount: number) => `${Math.round(amount)} MiB`

/** Returns one message per order that is missing in the backup, or that was never acknowledged. */
async function findLostOrders(
  { db }: OpenDatabase,
  workload: Workload,
  received: string[],
): Promise<string[]> {
  const saved = new Set((await db.selectFrom('orders').select('id').execute()).map(({ id }) => id))
  return [
    ...received.filter((id) => !saved.has(id)).map((id) => `the order ${id} is missing in the backup`),
    ...[...saved]
      .filter((id) => !workload.orders.has(id))
      .map((id) => `the backup has an unknown order ${id}`),
  ]
}

/** Compares the memory that backups and restores of `fewRows` and `rows` need. Returns the larger backup. */
async function compareMemory(
  commands: BackupCommands,
  second: OpenDatabase & { url: string },
  rows: number,
): Promise<Finding & { file: string }> {
  async function getPeaks(count: number) {
    const { file, backup } = await backUpRows(commands, second, count)
    return { file, backup, restore: await commands.run('restore', [file, '--replace'], second.url) }
  }
  const few = await getPeaks(fewRows)
  const many = await getPeaks(rows)
  const bound = `${growthMiB} MiB more than for ${fewRows} rows`
  return {
    file: many.file,
    figures: [
      { what: `maximum memory of a backup of ${rows} rows`, measured: mib(many.backup), bound },
      { what: `maximum memory of a restore of ${rows} rows`, measured: mib(many.restore), bound },
      { what: 'the same for few rows', measured: `${mib(few.backup)}, ${mib(few.restore)}` },
    ],
    violations: (['backup', 'restore'] as const)
      .filter((name) => many[name] > few[name] + growthMiB)
      .map((name) => `${name} of ${rows} rows took ${mib(many[name])}, of ${fewRows} ${mib(few[name])}`),
  }
}

/** Adds `rows` reviews and takes a backup. Returns its file and its peak memory in MiB. */
async function backUpRows(
  commands: BackupCommands,
  { db, url }: OpenDatabase & { url: string },
  rows: number,
) {
  await sql`insert into reviews (id, name, review)
    select ${rows} || '-' || n, 'Robin Rider', repeat(md5(n::text), 10) from generate_series(1, ${rows}::int) n`.execute(
    db,
  )
  const file = commands.newFile()
  return { file, backup: await commands.run('backup', [file], url) }
}

async function killRestores(
  commands: BackupCommands,
  second: OpenDatabase & { url: string },
  file: string,
  kills: number,
  random: Random,
  print: (progress: string) => void,
): Promise<string[]> {
  let killed = 0
  while (killed < kills) {
    await sql`update products set name = left(name, 100) || ' not in the backup'`.execute(second.db)
    const before = JSON.stringify(await digest(second))
    print(`killing restore ${killed + 1} of ${kills}`)
    const child = commands.start('restore', [file, '--replace'], second.url)
    const state = { isOver: false }
    void child.ended.then(() => (state.isOver = true))
    // Its rows may be loaded before this is seen.
    const hasBegun = async () => state.isOver || isLoading(second)
    await untilTrue(hasBegun, 30_000, 'beginning to load rows')
    if (state.isOver && (await child.ended) !== 0) throw new Error(`a restore failed: ${child.printed()}`)
    await delay(random.below(50))
    child.signal('SIGSTOP')
    // A stopped restore sends no data: either Postgres waits for it, or it had finished before.
    await untilTrue(async () => (await phase(second)) !== 'at work', 20_000, 'waiting for a stopped restore')
    const wasInTheMiddle = (await phase(second)) === 'waiting'
    await child.kill()
    await untilTrue(async () => (await phase(second)) === 'over', 20_000, 'undoing a killed restore')
    const isUnchanged = JSON.stringify(await digest(second)) === before
    if (wasInTheMiddle && !isUnchanged) return [`restore ${killed + 1}, which was killed, changed rows`]
    if (wasInTheMiddle) killed += 1
  }
  return []
}

/** Returns whether a COPY is loading rows into this database. */
async function isLoading({ db }: OpenDatabase): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_progress_copy
    where command = 'COPY FROM' and datname = current_database()`.execute(db)
  return rows.length > 0
}

/** Returns the phase of a restore: `over` if it holds no table lock, `waiting` if Postgres waits for its data. */
async function phase({ db }: OpenDatabase): Promise<'over' | 'at work' | 'waiting'> {
  const { rows } = await sql<{ wait: string | null }>`
    select wait_event as wait from pg_locks l join pg_stat_activity using (pid)
    where mode = 'AccessExclusiveLock' and granted and locktype = 'relation'
      and l.database = (select oid from pg_database where datname = current_database()) limit 1`.execute(db)
  if (!rows[0]) return 'over'
  return rows[0].wait === 'ClientRead' ? 'waiting' : 'at work'
}
