import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import path from 'node:path'
import { StartupError, toReason } from '../errors.ts'

/**
 * Parent of databases whose data folder only root can enter. Not below /var/tmp, because many systems delete files
 * there after 30 days.
 */
const SHARED_FOLDER = '/var/lib/embedded-postgres'

/** The folder of a database server and its account; undefined for the account of this process. */
export interface ServerFolder {
  folder: string
  account: Account | undefined
}

/**
 * Finds or creates `<dataDir>/postgres`. It is a link to another folder if the server's account cannot enter the data
 * folder. The data folder can still be moved.
 * @throws StartupError if this account cannot use the folder
 */
export function openServerFolder(dataDir: string): ServerFolder {
  const place = path.join(dataDir, 'postgres')
  return lstatSync(place, { throwIfNoEntry: false }) ? findServerFolder(place) : createServerFolder(place)
}

function findServerFolder(place: string): ServerFolder {
  if (!statSync(place, { throwIfNoEntry: false })) {
    throw new StartupError(
      `${place} points to a missing folder. Restore that folder, or delete the link to start with an empty database.`,
    )
  }
  const folder = realpathSync(place)
  const { uid, gid } = statSync(folder)
  if (!isRoot) {
    if (process.getuid && uid !== process.getuid()) {
      throw new StartupError(
        `The database in ${folder} belongs to another account. Start the shop as that account or as root, or set DATA_DIR to another folder.`,
      )
    }
    return { folder, account: undefined }
  }
  const account = uid === 0 ? findServerAccount() : { uid, gid }
  if (uid === 0) chownTo(account, folder) // Incomplete, or copied by root.
  if (!canEnter(account, folder)) {
    throw new StartupError(
      `The database in ${folder} can't be reached by the account it belongs to (uid ${account.uid}), because Postgres can't run as root. Move the folder to where this account can reach it, or set DATA_DIR to another folder.`,
    )
  }
  return { folder, account }
}

function createServerFolder(place: string): ServerFolder {
  if (!isRoot) {
    mkdirSync(place, { mode: 0o700 })
    return { folder: realpathSync(place), account: undefined }
  }
  const account = findServerAccount()
  const dataDir = path.dirname(place)
  const isReachable = canEnter(account, dataDir) || tryToLetPass(account, dataDir)
  const folder = isReachable ? place : makeSharedFolder(dataDir)
  if (isReachable) mkdirSync(folder, { mode: 0o700 })
  chownTo(account, folder)
  if (!isReachable) symlinkSync(folder, place)
  return { folder: realpathSync(folder), account }
}

/** Makes the data folder passable for other accounts, if nothing else blocks them and all its entries are private. */
function tryToLetPass(account: Account, dataDir: string): boolean {
  const isClosed = (name: string) => (lstatSync(path.join(dataDir, name)).mode & 0o077) === 0
  if (!canEnter(account, path.dirname(dataDir)) || !readdirSync(dataDir).every(isClosed)) return false
  chmodSync(dataDir, statSync(dataDir).mode | 0o001)
  return canEnter(account, dataDir)
}

function makeSharedFolder(dataDir: string): string {
  const folder = path.join(SHARED_FOLDER, randomBytes(8).toString('hex'))
  try {
    mkdirSync(SHARED_FOLDER, { recursive: true })
    chmodSync(SHARED_FOLDER, 0o755)
    mkdirSync(folder, { mode: 0o700 })
    return folder
  } catch (error) {
    throw new StartupError(
      `Postgres can't run as root, no other account can enter ${dataDir}, and ${SHARED_FOLDER} can't be written (${toReason(error)}). Set DATA_DIR to a folder that other accounts can enter.`,
      { cause: error },
    )
  }
}

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
