import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { StartupError, toReason } from '../errors.ts'
import { countLines } from './dump.ts'
import { damaged, endOfRows, foreign, type Header, isTrailer, parseHeader, parseTrailer } from './format.ts'

/** Handles the parts of a backup in file order. */
interface Reader {
  /** @param rows must be read completely */
  table(copyLine: string, rows: AsyncIterable<Buffer>): Promise<void>
  sequence(statement: string): Promise<void>
}

export interface Contents {
  header: Header
  /** Row counts by table. */
  rows: Record<string, number>
  sha256: string
}

const MAX_LINE_LENGTH = 256 * 1024 * 1024

/**
 * Reads a whole backup and verifies its checksum and row counts.
 *
 * @throws StartupError if it is not a backup or is corrupt; the reader may already have received parts of it
 */
export async function readBackup(file: string, reader: Reader, signal?: AbortSignal): Promise<Contents> {
  const text = pipeline(createReadStream(file), createZstdDecompress(), () => undefined)
  const stop = () => text.destroy(signal?.reason)
  signal?.addEventListener('abort', stop)
  const backup = new BackupText(file, text)
  try {
    return await backup.read(reader)
  } catch (error) {
    signal?.throwIfAborted()
    throw asSentence(error, file)
  } finally {
    signal?.removeEventListener('abort', stop)
    text.destroy()
  }
}

/** Reads a backup without using its rows, and returns its header, row counts and checksum. */
export function verifyBackup(file: string, signal?: AbortSignal): Promise<Contents> {
  const drain = async (rows: AsyncIterable<Buffer>) => {
    for await (const _ of rows);
  }
  const reader: Reader = { table: (_line, rows) => drain(rows), sequence: async () => undefined }
  return readBackup(file, reader, signal)
}

class BackupText {
  /** Whether the header is valid. */
  isOurs = false
  readonly #file: string
  readonly #chunks: AsyncIterator<Buffer>
  readonly #hash = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)

  constructor(file: string, text: Readable) {
    this.#file = file
    this.#chunks = text[Symbol.asyncIterator]()
  }

  async read(reader: Reader): Promise<Contents> {
    const header = parseHeader((await this.#line()).toString(), this.#file)
    this.isOurs = true
    const rows: Record<string, number> = {}
    for (;;) {
      const before = this.#hash.copy()
      const line = (await this.#line()).toString()
      if (isTrailer(line)) return await this.#end(header, rows, line, before.digest('hex'))
      const name = tableName(line)
      if (name === undefined) await reader.sequence(line)
      else {
        const counted = { rows: 0 }
        await reader.table(line, this.#rows(counted))
        rows[name] = counted.rows
      }
    }
  }

  async #end(header: Header, rows: Record<string, number>, line: string, sha256: string): Promise<Contents> {
    const trailer = parseTrailer(line, this.#file)
    if (trailer.sha256 !== sha256) throw damaged(this.#file, 'its checksum is wrong')
    const isWhole = JSON.stringify(trailer.rows) === JSON.stringify(rows)
    if (!isWhole) throw damaged(this.#file, 'its row count is wrong')
    if (this.#rest.length > 0 || (await this.#more())) throw damaged(this.#file, 'it has data after its end')
    return { header, rows, sha256 }
  }

  async #line(): Promise<Buffer> {
    let end = this.#rest.indexOf(10)
    while (end === -1) {
      if (!(await this.#more()))
        throw this.isOurs ? damaged(this.#file, 'its end is missing') : foreign(this.#file)
      end = this.#rest.indexOf(10)
    }
    return this.#take(end + 1).subarray(0, end)
  }

  async *#rows(counted: { rows: number }): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#endOfRows()
      const rows = this.#take(end ?? this.#rest.lastIndexOf(10) + 1)
      counted.rows += countLines(rows)
      if (rows.length > 0) yield rows
      if (end !== undefined) break
      if (!(await this.#more())) throw damaged(this.#file, 'its end is missing')
    }
    this.#take(endOfRows.length)
  }

  /** Returns the offset of the line that ends the rows, if it has been read. */
  #endOfRows(): number | undefined {
    if (this.#rest.subarray(0, endOfRows.length).equals(endOfRows)) return 0
    const at = this.#rest.indexOf(`\n${endOfRows.toString()}`)
    return at === -1 ? undefined : at + 1
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    this.#hash.update(taken)
    return taken
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done) return false
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    if (this.#rest.length > MAX_LINE_LENGTH) throw damaged(this.#file, 'a line is too long')
    return true
  }
}

function tableName(line: string): string | undefined {
  const [, schema, name] = /^copy "(\w+)"\."(\w+)" \(.*\) from stdin;$/.exec(line) ?? []
  return schema && `${schema}.${name}`
}

function asSentence(error: unknown, file: string): unknown {
  const reason = toReason(error)
  if (error instanceof StartupError || !/^(Z|E[A-Z]+$)/.test(reason)) return error
  if (!reason.startsWith('Z')) {
    return new StartupError(`${file} can't be read (${reason}). Use a file created by npm run backup.`, {
      cause: error,
    })
  }
  return reason === 'ZSTD_error_prefix_unknown'
    ? foreign(file)
    : damaged(file, 'its compression is invalid', error)
}
