import { existsSync, mkdirSync } from 'node:fs'
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type { ClientBase } from 'pg'
import { StartupError, toReason } from '../startup-error.ts'
import { type DumpOptions, dumpDatabase } from './dump.ts'

/**
 * Writes a backup to a new file that only its owner can read. It is renamed when it is complete and flushed.
 *
 * @param client a dedicated connection
 * @returns the number of rows and of compressed bytes
 * @throws StartupError if the file cannot be written
 */
export async function writeBackup(
  client: ClientBase,
  file: string,
  options: DumpOptions & { signal?: AbortSignal },
): Promise<{ rows: number; bytes: number }> {
  const draft = `${file}.${process.pid}.partial`
  const handle = await create(file, draft)
  let rows = 0
  const counting: DumpOptions = {
    ...options,
    onProgress(table, count) {
      rows += count
      options.onProgress(table, count)
    },
  }
  try {
    const text = dumpDatabase(client, counting)
    const compressing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    await pipeline(text, compressing, handle.createWriteStream({ flush: true }), { signal: options.signal })
    await rename(draft, file)
    return { rows, bytes: (await stat(file)).size }
  } catch (error) {
    await handle.close()
    await unlink(draft)
    throw asSentence(error, file)
  }
}

async function create(file: string, draft: string): Promise<FileHandle> {
  if (existsSync(file)) throw new StartupError(`${file} already exists. Choose another file name.`)
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    return await open(draft, 'wx', 0o600)
  } catch (error) {
    throw asSentence(error, file)
  }
}

/** Converts errors of the operating system. Errors of the database are returned unchanged. */
function asSentence(error: unknown, file: string): unknown {
  const reason = toReason(error)
  if (!/^E[A-Z]{3,}$/.test(reason) || reason.startsWith('ECONN')) return error
  return new StartupError(
    `The backup can't be written to ${file} (${reason}). Free disk space or choose another path.`,
    {
      cause: error,
    },
  )
}
