import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import {
  CLUSTER,
  createCluster,
  readPassword,
  SUPERUSER,
} from '../../server/platform/embedded-postgres/cluster.ts'
import { readPidFile, startPostmaster } from '../../server/platform/embedded-postgres/postmaster.ts'
import { findBinaries, type Programs } from '../../server/platform/embedded-postgres/programs.ts'
import { chownTo, openServerFolder } from '../../server/platform/embedded-postgres/server-folder.ts'
import { removeEmbeddedPostgres } from '../embedded-postgres-folder.ts'
import { freePort } from '../free-port.ts'
import { openTcpProxy, type TcpProxy } from '../proxy.ts'
import { cleanup } from './cleanup.ts'
import { untilTrue } from './shop-under-test.ts'

/** A primary and a standby. A commit succeeds only after the standby has it. */
export interface ReplicatedPostgres {
  /** URL of an empty database. Leads to the primary, even after a failover. */
  url: string
  /** Copies the primary to a new standby. Resolves when commits wait for it. */
  addStandby(): Promise<Standby>
  /** Process id of its postmaster. */
  primaryPid(): number
  /** Holds back all data between primary and standby, which then confirms no commit. */
  silenceStandby(): void
  /** Cancels the commits that wait for the standby, as an operator can, and returns their number. */
  cancelWaits(): Promise<number>
  /** Kills the primary (SIGKILL), promotes the standby with the data that it has, and redirects the address to it. */
  failOver(): Promise<void>
}

export interface Standby {
  /** URL of the copied database. */
  url: string
  /**
   * Suspends the process that replays the changes (SIGSTOP), and returns how it continues. In the meantime the standby
   * receives and confirms further changes.
   */
  freezeReplay(): Promise<() => void>
}

interface Server {
  port: number
  cluster: string
  dataDir: string
}

const host = '127.0.0.1'
const database = 'shop'
const attachWithinMs = 20_000

/** Starts the primary. `cleanup` stops all servers and deletes their data. */
export async function openReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const parent = mkdtempSync(path.join(tmpdir(), 'replicated-postgres-'))
  chmodSync(parent, 0o755)
  const servers: Server[] = []
  cleanup.add(async () => {
    for (const { dataDir } of servers.toReversed()) await removeEmbeddedPostgres(dataDir)
    rmSync(parent, { recursive: true })
  })

  /** Starts a server on a cluster that `fill` creates in its folder. */
  async function startServer(
    fill: (programs: Programs, cluster: string) => Promise<unknown>,
  ): Promise<Server> {
    const dataDir = path.join(parent, String(servers.length))
    mkdirSync(dataDir)
    const serverFolder = openServerFolder(dataDir)
    const programs = { ...serverFolder, binaries: findBinaries(serverFolder) }
    const server = { port: await freePort(), cluster: path.join(programs.folder, CLUSTER), dataDir }
    await fill(programs, server.cluster)
    servers.push(server)
    if (!(await startPostmaster(programs, server.port, true))) throw new Error('a port was taken')
    return server
  }

  let primary = await startServer(async (programs, cluster) => {
    await createCluster(programs, false)
    // A new standby finds the changes since its copy began.
    appendFileSync(path.join(cluster, 'postgresql.conf'), 'wal_keep_size = 256MB\n')
  })
  const password = readPassword(path.dirname(primary.cluster))
  let standby: { server: Server; link: TcpProxy } | null = null

  /** Runs work on a superuser's connection. */
  async function connect<Result>(
    { port }: Server,
    work: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    const client = new Client({ host, port, user: SUPERUSER, password, database: 'postgres' })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  function requireStandby() {
    if (!standby) throw new Error('the primary has no standby')
    return standby
  }

  await connect(primary, async (client) => {
    await client.query(`create role ${database} login password '${password}'`)
    await client.query(`create database ${database} owner ${database}`)
  })
  const toUrl = (port: number) =>
    `postgres://${database}:${password}@${host}:${port}/${database}?sslmode=disable`

  const toStandby = (server: Server): Standby => ({
    url: toUrl(server.port),
    async freezeReplay() {
      const { rows } = await connect(server, (client) => client.query<{ pid: number }>(findReplayProcess))
      const [row] = rows
      if (!row) throw new Error('no process replays changes')
      process.kill(row.pid, 'SIGSTOP')
      let isFrozen = true
      const thaw = () => {
        if (isFrozen) process.kill(row.pid, 'SIGCONT')
        isFrozen = false
      }
      // Postgres does not stop without this process.
      cleanup.add(async () => thaw())
      return thaw
    },
  })

  const front = await openTcpProxy(toUrl(primary.port))
  cleanup.add(front.close)

  return {
    url: front.url,
    async addStandby() {
      const link = await openTcpProxy(toUrl(primary.port))
      cleanup.add(link.close)
      const conninfo = `host=${host} port=${link.port} user=${SUPERUSER} password=${password}`
      const server = await startServer((programs, cluster) =>
        connect(primary, (client) => copyCluster(client, primary.cluster, { programs, cluster, conninfo })),
      )
      standby = { server, link }
      await connect(primary, async (client) => {
        await client.query("alter system set synchronous_standby_names = '*'")
        await client.query('select pg_reload_conf()')
        const isAttached = async () =>
          (await client.query("select from pg_stat_replication where sync_state = 'sync'")).rowCount === 1
        await untilTrue(isAttached, attachWithinMs, 'attaching the standby')
      })
      return toStandby(server)
    },
    primaryPid: () => requirePid(primary),
    silenceStandby: () => requireStandby().link.freeze(),
    cancelWaits: () =>
      connect(primary, async (client) => {
        const waiting = await client.query(
          "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
        )
        return waiting.rowCount ?? 0
      }),
    async failOver() {
      const { server, link } = requireStandby()
      process.kill(requirePid(primary), 'SIGKILL')
      // Deletes what the primary has sent and the standby has not received.
      await link.close()
      await connect(server, (client) => client.query('select pg_promote()'))
      front.redirect(toUrl(server.port))
      primary = server
      standby = null
    },
  }
}

/** On a standby. Not `pg_wal_replay_pause()`: Patroni would resume it. */
export const findReplayProcess = "select pid from pg_stat_activity where backend_type = 'startup'"

function requirePid({ cluster }: Server): number {
  const running = readPidFile(cluster)
  if (!running) throw new Error('the server does not run')
  return running.pid
}

interface Copy {
  programs: Programs
  cluster: string
  /** How the standby connects to its primary. */
  conninfo: string
}

/** Copies a running primary to the folder of a new standby. The package has no pg_basebackup. */
async function copyCluster(
  client: Client,
  from: string,
  { programs, cluster, conninfo }: Copy,
): Promise<void> {
  // The standby receives all log records from the primary. Without the pid file it does not look like a running server.
  // The primary deletes its catalog cache (`pg_internal.init`) at any time, and each server writes its own.
  const isCopied = (file: string) =>
    path.basename(path.dirname(file)) !== 'pg_wal' &&
    !/^(postmaster\.|pg_internal\.init)/.test(path.basename(file))
  await client.query("select pg_backup_start('standby', fast => true)")
  await cp(from, cluster, { recursive: true, filter: isCopied })
  const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
  writeFileSync(path.join(cluster, 'backup_label'), rows[0].labelfile)
  writeFileSync(path.join(cluster, 'standby.signal'), '')
  appendFileSync(path.join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  // Both servers have the same passwords.
  await cp(path.join(from, '../password'), path.join(programs.folder, 'password'))
  if (programs.account) chownTo(programs.account, programs.folder)
  chmodSync(cluster, 0o700)
}
