/**
 * A backup is a mark and a sequence of frames, compressed with zstd. A frame is the length of its content (4 bytes), a
 * checksum, and the content. The checksum is the SHA-256 of the lengths and contents of all frames up to this one. The
 * first frame is the header as JSON. For each table of the header follow its rows, as frames in the text format of COPY,
 * and an empty frame.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import * as z from 'zod/mini'
import { oldestVersion } from '../database/migrations.ts'
import { StartupError, toReason } from '../errors.ts'

export const mark = Buffer.from('shop backup\n')
export const VERSION = 1
/** The beginning of backups from before this format. */
const formerMark = Buffer.from('-- backup ')

const Header = z.object({
  version: z.int(),
  takenAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.string() })),
  /** Last values by name. Unused sequences are absent. */
  sequences: z.record(z.string(), z.string()),
})
export type Header = z.infer<typeof Header>

const lengthBytes = 4
const headBytes = lengthBytes + 32
/** A frame holds what one read of the database connection returned, which is less than 1 MB. */
const maxContentBytes = 16 * 1024 * 1024

/** Returns a function from a content to the parts of its frame. The content is not copied. */
export function createFrames(): (content: Buffer) => Buffer[] {
  const running = createHash('sha256')
  return (content) => {
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32BE(content.length)
    const checksum = running.update(length).update(content).copy().digest()
    return [length, checksum, content]
  }
}

/**
 * Returns the content of each frame in a file, after its verification.
 *
 * @throws StartupError if the file cannot be read, is not a backup or is corrupt
 */
export async function* readFrames(file: string): AsyncGenerator<Buffer, undefined> {
  const running = createHash('sha256')
  let isOurs = false
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of pipeline(createReadStream(file), createZstdDecompress(), () => undefined)) {
      rest = Buffer.concat([rest, chunk])
      if (!isOurs) {
        if (rest.subarray(0, formerMark.length).equals(formerMark)) throw tooOld(file)
        if (!rest.subarray(0, mark.length).equals(mark)) throw foreign(file)
        isOurs = true
        rest = rest.subarray(mark.length)
      }
      while (rest.length >= headBytes) {
        const end = headBytes + rest.readUInt32BE()
        if (end > maxContentBytes) throw damaged(file, 'a frame is too long')
        if (end > rest.length) break
        const content = rest.subarray(headBytes, end)
        running.update(rest.subarray(0, lengthBytes)).update(content)
        const isIntact = running.copy().digest().equals(rest.subarray(lengthBytes, headBytes))
        if (!isIntact) throw damaged(file, 'its checksum is wrong')
        rest = rest.subarray(end)
        yield content
      }
    }
  } catch (error) {
    throw toStartupError(error, file)
  }
  if (!isOurs) throw foreign(file)
  if (rest.length > 0) throw damaged(file, 'its end is missing')
}

/** @throws StartupError if the first frame is not a header, or has another format version */
export async function readHeader(frames: AsyncGenerator<Buffer>, file: string): Promise<Header> {
  const header = JSON.parse((await nextFrame(frames, file)).toString())
  if (header.version === VERSION) return Header.parse(header)
  if (header.version < VERSION) throw tooOld(file)
  throw new StartupError(
    `${file} has format version ${header.version}, but this version of the shop reads ${VERSION}. Restore it with the version that created it.`,
  )
}

/** Returns the rows of the next table. */
export async function* readRows(frames: AsyncGenerator<Buffer>, file: string): AsyncGenerator<Buffer> {
  for (;;) {
    const rows = await nextFrame(frames, file)
    if (rows.length === 0) return
    yield rows
  }
}

async function nextFrame(frames: AsyncGenerator<Buffer>, file: string): Promise<Buffer> {
  const { value, done } = await frames.next()
  if (done) throw damaged(file, 'its end is missing')
  return value
}

/** Creates the error for a corrupt backup. */
export function damaged(file: string, reason: string, cause?: unknown): StartupError {
  const message = `${file} is damaged (${reason}). Nothing was restored. Use another backup.`
  return new StartupError(message, { cause })
}

/** Creates the error for a backup from before the oldest version that can be upgraded. */
export function tooOld(file: string): StartupError {
  return new StartupError(
    `${file} is too old: this version restores backups of version ${oldestVersion} and newer ones. Restore it with the version that created it.`,
  )
}

function foreign(file: string): StartupError {
  return new StartupError(`${file} is not a backup of this shop. Use a file created by npm run backup.`)
}

function toStartupError(error: unknown, file: string): StartupError {
  if (error instanceof StartupError) return error
  const reason = toReason(error)
  if (reason === 'ZSTD_error_prefix_unknown') return foreign(file)
  if (reason.startsWith('Z')) return damaged(file, 'its compression is invalid', error)
  const message = `${file} can't be read (${reason}). Use a file created by npm run backup.`
  return new StartupError(message, { cause: error })
}
