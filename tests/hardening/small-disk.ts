import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cleanup } from './cleanup.ts'

/** A file system that can be full without filling the machine's disk. */
export interface SmallDisk {
  folder: string
  /** Shrinks it to its content, so that no write finds room. */
  fill(): void
  /** Restores its original size. */
  empty(): void
}

const size = '1g'

/** Mounts a small file system. Returns null if this account may not: only root of a Linux machine may. */
export function mountSmallDisk(): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const folder = mkdtempSync(path.join(tmpdir(), 'small-disk-'))
  chmodSync(folder, 0o755)
  if (!mount('-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder)) {
    rmdirSync(folder)
    return null
  }
  cleanup.add(async () => {
    if (spawnSync('umount', [folder]).status !== 0) throw new Error(`${folder} could not be unmounted`)
    rmdirSync(folder)
  })
  const resize = (to: string) => mount('-o', `remount,size=${to}`, folder)
  return {
    folder,
    fill() {
      // Fails if the content has grown since it was measured.
      const isFull = () => {
        const { blocks, bfree, bsize } = statfsSync(folder)
        return resize(String((blocks - bfree) * bsize))
      }
      while (!isFull());
    },
    empty: () => void resize(size),
  }
}

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0
