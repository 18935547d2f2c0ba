/**
 * A backup is text, compressed with zstd, that psql would read as well:
 *
 * ```
 * -- backup {"version":1,"takenAt":"…","migrations":[{"name":"…","checksum":"…"}]}
 * copy "public"."products" ("id", …) from stdin;
 * …the rows, as Postgres writes them…
 * \.
 * select pg_catalog.setval('"public"."order_events_id_seq"', 12, true);
 * -- end {"rows":{…},"sha256":"…"}
 * ```
 *
 * The last line tells how many rows of which tables came before, and the checksum of every byte before it.
 */
import * as z from 'zod/mini'
import { StartupError } from '../startup-error.ts'

export const VERSION = 1

const Migration = z.object({ name: z.string(), checksum: z.string() })
const Header = z.object({ version: z.int(), takenAt: z.string(), migrations: z.array(Migration) })
const Trailer = z.object({ rows: z.record(z.string(), z.int()), sha256: z.string() })
export type Header = z.infer<typeof Header>
export type Trailer = z.infer<typeof Trailer>

const headerMark = '-- backup '
const trailerMark = '-- end '
export const endOfRows = Buffer.from('\\.\n')

export const headerLine = (header: Header): string => `${headerMark}${JSON.stringify(header)}\n`
export const trailerLine = (trailer: Trailer): string => `${trailerMark}${JSON.stringify(trailer)}\n`
export const isTrailer = (line: string): boolean => line.startsWith(trailerMark)

/** @throws StartupError where the file is none of ours, or one of a later form */
export function parseHeader(line: string, file: string): Header {
  const header = parse(Header, line, headerMark)
  if (!header)
    throw new StartupError(`${file} is not a backup of this shop: name a file that npm run backup made.`)
  if (header.version !== VERSION) {
    throw new StartupError(
      `${file} has the form ${header.version}, this version of the shop reads ${VERSION}: restore it with the version that made it.`,
    )
  }
  return header
}

/** @throws StartupError where the line is not whole */
export function parseTrailer(line: string, file: string): Trailer {
  const trailer = parse(Trailer, line, trailerMark)
  if (!trailer) throw damaged(file, 'its last line is not whole')
  return trailer
}

/** @returns the error that refuses a file which never was a backup */
export function foreign(file: string): StartupError {
  return new StartupError(`${file} is not a backup of this shop: name a file that npm run backup made.`)
}

/** @returns the error that refuses a file which is not as it was written */
export function damaged(file: string, reason: string, cause?: unknown): StartupError {
  return new StartupError(
    `${file} is damaged (${reason}): nothing was restored from it; take another backup.`,
    { cause },
  )
}

function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  line: string,
  mark: string,
): z.output<Schema> | undefined {
  if (!line.startsWith(mark)) return undefined
  try {
    return schema.safeParse(JSON.parse(line.slice(mark.length))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
