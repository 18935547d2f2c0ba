import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { CLUSTER } from '../../server/platform/embedded-postgres/cluster.ts'
import { readPidFile } from '../../server/platform/embedded-postgres/postmaster.ts'
import { cleanup } from './cleanup.ts'

/** Injects faults into the Postgres server of a shop. */
export interface PostgresUnderTest {
  /** Reads the pid of the postmaster from its pid file; null if there is none. A killed postmaster leaves its file. */
  pid(): number | null
  /** Sends SIGKILL to the postmaster; its child processes exit then. The shop restarts it. */
  kill(): void
  /** Requests a fast shutdown (SIGINT). The shop restarts it. */
  stop(): void
  /** Suspends all its processes (SIGSTOP). Connections stay open without any response. */
  freeze(): void
  /** Resumes the suspended processes. */
  thaw(): void
}

/** @param folder the data folder of the embedded server, which contains the cluster */
export function postgresIn(folder: string): PostgresUnderTest {
  let frozen: number[] = []

  const pid = () => readPidFile(path.join(folder, CLUSTER))?.pid ?? null

  function requirePid(): number {
    const found = pid()
    if (found === null) throw new Error(`no Postgres runs in ${folder}`)
    return found
  }
  function signal(pids: number[], name: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
      }
    }
  }
  function thaw(): void {
    signal(frozen, 'SIGCONT')
    frozen = []
  }
  // A suspended process cannot shut down.
  cleanup.add(async () => thaw())
  return {
    pid,
    kill: () => signal([requirePid()], 'SIGKILL'),
    stop: () => signal([requirePid()], 'SIGINT'),
    freeze() {
      const postmaster = requirePid()
      // Suspend the postmaster first, so that it starts no more child processes.
      signal([postmaster], 'SIGSTOP')
      const children = listChildren(postmaster)
      signal(children, 'SIGSTOP')
      frozen = [...frozen, postmaster, ...children]
    },
    thaw,
  }
}

function listChildren(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid = 0]) => pid)
}
