import { spawnSync } from 'node:child_process'
import { lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'

/** The operating system account of the database server. */
export interface Account {
  uid: number
  gid: number
}

/** Whether this process runs as root. Postgres refuses to run as root. */
export const isRoot = process.getuid?.() === 0

/**
 * Finds an unprivileged account for the server when root starts the shop.
 * @throws StartupError if the machine has none
 */
export function findServerAccount(): Account {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new StartupError(
    "Postgres can't run as root and this machine has no account named postgres or nobody. Start the shop as an ordinary user, or set DATABASE_URL.",
  )
}

/** Returns whether the account may enter the folder. The system decides, because mode bits are not its only rule. */
export function canEnter(account: Account, folder: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  )
}

/** Changes the owner of a file, or of a folder and its contents. */
export function chownTo({ uid, gid }: Account, place: string): void {
  lchownSync(place, uid, gid)
  if (!statSync(place).isDirectory()) return
  for (const entry of readdirSync(place, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(place, entry), uid, gid)
  }
}
