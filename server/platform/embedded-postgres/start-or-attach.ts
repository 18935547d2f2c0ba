import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'
import { CLUSTER, createCluster, readPassword } from './cluster.ts'
import { readPidFile, removeForeignPidFile } from './pid-file.ts'
import { findFreePort, startPostmaster } from './postmaster.ts'
import type { Programs } from './program.ts'
import { signIn, type UsageLock } from './usage-lock.ts'

/** Crash recovery may take long. A previous server that is stopping takes only seconds. */
const startTimeoutMs = 60_000

export interface Arrival {
  usageLock: UsageLock
  port: number
  /** Whether this process created the cluster, started the server, or found it running. */
  how: 'created' | 'started' | 'attached'
}

/**
 * Attaches to a running server, or creates and starts one. The caller must hold the file lock of the data folder.
 * @param port required port, because clients already use it; by default the last one or any
 * @throws StartupError if the server does not run after one minute
 */
export async function startOrAttach(programs: Programs, durable: boolean, port?: number): Promise<Arrival> {
  const created = await createCluster(programs, durable)
  const { folder } = programs.serverFolder
  const cluster = path.join(folder, CLUSTER)
  const password = readPassword(folder)
  const deadline = Date.now() + startTimeoutMs
  let next = port ?? readPidFile(cluster)?.port ?? (await findFreePort())
  let how: Arrival['how'] = 'attached'
  for (;;) {
    removeForeignPidFile(cluster)
    const running = readPidFile(cluster)
    const usageLock = running && (await signIn(running.port, password))
    if (usageLock) return { usageLock, port: running.port, how: created ? 'created' : how }
    if (Date.now() > deadline) {
      throw new StartupError(
        `The embedded Postgres in ${folder} does not respond and can't be started. End its processes (the first is ${running?.pid ?? 'unknown'}), then start again.`,
      )
    }
    if (await startPostmaster(programs, next, durable)) how = 'started'
    else {
      await delay(200)
      next = port ?? (await findFreePort())
    }
  }
}
