import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import {
  type Account,
  chownTo,
  findServerAccount,
  isRoot,
} from '../../../server/platform/embedded-postgres/server-folder.ts'
import { type Child, startChild } from '../../child.ts'
import { freePort } from '../../free-port.ts'
import { cleanup } from '../cleanup.ts'
import { findReplayProcess } from '../replicated-postgres.ts'
import { untilTrue } from '../shop-under-test.ts'
import { openNetworks } from './networks.ts'
import { unpackPostgres } from './postgres-programs.ts'

/** Three members of Postgres under Patroni with etcd, and HAProxy in front of them and of the shop. */
export interface PatroniCluster {
  /** URL of an empty database. Leads to the primary. */
  databaseUrl: string
  /** URL of the database on each member. */
  replicaUrls: string[]
  /** Origin of HAProxy, which forwards each request to a web process that is ready. */
  shopOrigin: string
  /** Ports of the three web processes of the shop. */
  webPorts: number[]
  findPrimary(): Promise<Member>
  findSynchronousStandby(): Promise<Member>
  /** Resolves when both standbys receive all changes and one of them confirms commits. Returns milliseconds. */
  untilComplete(): Promise<number>
  /** Makes the synchronous standby the primary, as for maintenance. */
  switchOver(): Promise<void>
  /** Suspends the processes that replay changes on the standbys (SIGSTOP). Returns how they continue. */
  freezeReplay(): Promise<() => void>
}

/** A Postgres and its Patroni, on a machine of their own. */
export interface Member {
  name: string
  /** Kills Postgres only (SIGKILL). */
  killPostgres(): void
  /** Kills all its processes (SIGKILL). */
  kill(): Promise<void>
  /** Starts Patroni, which starts Postgres. */
  start(): void
  /** Suspends all its processes (SIGSTOP). */
  freeze(): void
  thaw(): void
  /** Separates it from etcd and the other members. Clients still reach it. */
  cutFromCluster(): void
  /** Separates it from everything. */
  cutFromAll(): void
  reconnect(): void
}

const programs = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', ip: 'iproute2' }
const names = ['pg1', 'pg2', 'pg3']
const postgresPort = 5432
const completeWithinMs = 120_000
const stopWithinMs = 15_000

/**
 * Starts the cluster. `cleanup` stops it and deletes its data.
 * @throws Error with one sentence if this machine lacks something
 */
export async function openPatroniCluster(): Promise<PatroniCluster> {
  requirePrograms()
  const account = findServerAccount()
  const folder = mkdtempSync(path.join(tmpdir(), 'cluster-'))
  chmodSync(folder, 0o755)
  cleanup.add(async () => rmSync(folder, { recursive: true }))
  const [primaryPort, shopPort] = [await freePort(), await freePort()]
  const webPorts = [await freePort(), await freePort(), await freePort()]
  const password = randomBytes(12).toString('hex')
  const binaries = unpackPostgres(folder)
  const { cluster, clients, enter, listPids } = openNetworks(names.length)

  function makeFolder(name: string): string {
    const made = path.join(folder, name)
    mkdirSync(made, { mode: 0o700 })
    chownTo(account, made)
    return made
  }
  function configure(template: string, file: string, values: Record<string, string | number>): string {
    const text = readFileSync(path.join(import.meta.dirname, template), 'utf8')
    const configured = path.join(folder, file)
    // Values are inserted into words such as @WEB1@ of the lines that are not comments.
    writeFileSync(
      configured,
      text.replaceAll(/@(\w+)@/g, (word, key: string) => String(values[key] ?? word)),
    )
    return configured
  }

  const etcd = run(account, [], etcdCommand(makeFolder('etcd'), cluster.ip))
  cleanup.add(etcd.kill)

  function openMember(name: string, index: number): Member {
    const data = makeFolder(name)
    const settings = configure('patroni.yml', `${name}.yml`, {
      NAME: name,
      IP: cluster.members[index] ?? '',
      ETCD_IP: cluster.ip,
      FOLDER: data,
      PROGRAMS: binaries,
      PASSWORD: password,
    })
    let patroni: Child
    const signal = (signal: NodeJS.Signals) => signalAll(listPids(index), signal)
    const start = () => {
      patroni = run(account, enter(index), ['patroni', settings])
    }
    async function kill(): Promise<void> {
      signal('SIGKILL')
      await patroni.ended
    }
    start()
    cleanup.add(async () => {
      signal('SIGCONT')
      patroni.signal('SIGTERM') // It stops its Postgres.
      await untilTrue(async () => listPids(index).length === 0, stopWithinMs, `stopping ${name}`).catch(kill)
    })
    return {
      name,
      killPostgres: () => signalAll([readPostmasterPid(data)], 'SIGKILL'),
      kill,
      start,
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      cutFromCluster: () => cluster.cut(index),
      cutFromAll() {
        cluster.cut(index)
        clients.cut(index)
      },
      reconnect() {
        cluster.join(index)
        clients.join(index)
      },
    }
  }
  const members = names.map(openMember)

  const [PG1 = '', PG2 = '', PG3 = ''] = clients.members
  const [WEB1 = 0, WEB2 = 0, WEB3 = 0] = webPorts
  const ports = { PRIMARY_PORT: primaryPort, SHOP_PORT: shopPort, WEB1, WEB2, WEB3 }
  const haproxy = configure('haproxy.cfg', 'haproxy.cfg', { ...ports, PG1, PG2, PG3 })
  const proxy = run(account, [], ['haproxy', '-db', '-f', haproxy])
  cleanup.add(proxy.kill)

  /** Runs a statement as superuser, by default on the primary. Rejects if there is none. */
  async function query<Row extends object>(
    statement: string,
    server = { host: '127.0.0.1', port: primaryPort },
  ): Promise<Row[]> {
    const client = new Client({
      ...server,
      user: 'postgres',
      password,
      database: 'postgres',
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** Asks Patroni on each member, because some may be down. */
  async function findMember(role: string): Promise<Member | null> {
    for (const ip of clients.members) {
      const found = await listRoles(ip)
      const name = found.find((member) => member.role === role)?.name
      if (found.length > 0) return members.find((member) => member.name === name) ?? null
    }
    return null
  }
  async function requireMember(role: string): Promise<Member> {
    const member = await findMember(role)
    if (!member) throw new Error(`the cluster has no ${role}`)
    return member
  }

  async function isComplete(): Promise<boolean> {
    const [row] = await query<{ isComplete: boolean }>(
      `select count(*) = 2 and bool_or(sync_state = 'sync') as "isComplete" from pg_stat_replication
       where application_name like 'pg_' and state = 'streaming'`,
    ).catch(() => [])
    return Boolean(row?.isComplete) && (await findMember('sync_standby')) !== null
  }
  const untilComplete = () => untilTrue(isComplete, completeWithinMs, 'completing the cluster')

  await untilComplete()
  await query(`create role shop login password '${password}'`)
  await query('create database shop owner shop')
  const toUrl = (host: string, port: number) =>
    `postgres://shop:${password}@${host}:${port}/shop?sslmode=disable`
  return {
    databaseUrl: toUrl('127.0.0.1', primaryPort),
    replicaUrls: clients.members.map((ip) => toUrl(ip, postgresPort)),
    shopOrigin: `http://localhost:${shopPort}`,
    webPorts,
    findPrimary: () => requireMember('leader'),
    findSynchronousStandby: () => requireMember('sync_standby'),
    untilComplete,
    async freezeReplay() {
      const rows = await Promise.all(
        clients.members.map((host) =>
          query<{ pid: number }>(findReplayProcess, { host, port: postgresPort }),
        ),
      )
      const pids = rows.flat().map(({ pid }) => pid)
      signalAll(pids, 'SIGSTOP')
      return () => signalAll(pids, 'SIGCONT')
    },
    async switchOver() {
      const [leader, candidate] = [await requireMember('leader'), await requireMember('sync_standby')]
      const response = await fetch(`http://${clients.members[members.indexOf(leader)]}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
      })
      const answer = await response.text()
      if (!response.ok) throw new Error(`Patroni has refused the switchover: ${answer}`)
    },
  }
}

function requirePrograms(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !isRoot)
    throw new Error('The check cluster runs as root on Linux (x64) only, because it creates networks.')
  const missing = Object.entries(programs).flatMap(([program, name]) => (exists(program) ? [] : [name]))
  if (spawnSync('/usr/bin/python3', ['-c', 'import etcd']).status !== 0) missing.push('python3-etcd')
  if (missing.length > 0)
    throw new Error(
      `The check cluster needs Debian packages that are not installed. Run apt-get install --no-install-recommends ${missing.join(' ')}.`,
    )
}

const exists = (program: string): boolean => spawnSync('which', [program]).status === 0

/** Starts a program as the account of Postgres. Variables such as PGPASSWORD would override the passwords of Patroni. */
function run(account: Account, enter: string[], command: string[]): Child {
  const { uid, gid } = account
  const asAccount = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const [program = '', ...args] = [...enter, ...asAccount, ...command]
  return startChild(program, args, { env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }, cwd: '/' })
}

function etcdCommand(folder: string, ip: string): string[] {
  const [client, peer] = [`http://${ip}:2379`, `http://${ip}:2380`]
  const options = {
    name: 'etcd1',
    'data-dir': folder,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd1=${peer}`,
  }
  return ['etcd', '--enable-v2', ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)]
}

/** Returns the members as one Patroni sees them; none if it does not respond. */
async function listRoles(ip: string): Promise<{ name: string; role: string }[]> {
  try {
    const response = await fetch(`http://${ip}:8008/cluster`, { signal: AbortSignal.timeout(1_000) })
    const { members } = (await response.json()) as { members?: { name: string; role: string }[] }
    return members ?? []
  } catch {
    return []
  }
}

function readPostmasterPid(folder: string): number {
  return Number(readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
}

function signalAll(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
