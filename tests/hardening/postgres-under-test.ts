import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { CLUSTER } from '../../server/platform/embedded-postgres/cluster.ts'
import { readPidFile } from '../../server/platform/embedded-postgres/pid-file.ts'
import { ending } from './cleanup.ts'

/** The Postgres that a shop has started, to be hurt. */
export interface PostgresUnderTest {
  /** Its first process; null if there is none. A killed one leaves its number behind until the next one starts. */
  pid(): number | null
  /** Kills its first process at once (-9); the others follow by themselves. The shop brings it back. */
  kill(): void
  /** Tells it to end at once, as an administrator may. The shop brings it back. */
  stop(): void
  /** Stops all its processes in their tracks: connections stay open and nothing answers. */
  freeze(): void
  /** Lets them go on. */
  thaw(): void
}

/** @param folder where its data are */
export function postgresIn(folder: string): PostgresUnderTest {
  let frozen: number[] = []

  const pid = () => readPidFile(path.join(folder, CLUSTER))?.pid ?? null

  function firstPid(): number {
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
  // Whatever is stopped could not be ended kindly.
  ending.add(async () => thaw())
  return {
    pid,
    kill: () => signal([firstPid()], 'SIGKILL'),
    stop: () => signal([firstPid()], 'SIGINT'),
    freeze() {
      const first = firstPid()
      // The first one first, so that it makes no more.
      signal([first], 'SIGSTOP')
      const children = listChildren(first)
      signal(children, 'SIGSTOP')
      frozen = [...frozen, first, ...children]
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
