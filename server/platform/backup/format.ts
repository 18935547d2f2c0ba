/**
 * A backup is text, compressed with zstd, that psql can also run:
 *
 * ```
 * -- backup {"version":1,"takenAt":"…","migrations":[{"name":"…","checksum":"…"}]}
 * copy "public"."products" ("id", …) from stdin;
 * …the rows, in the text format of COPY…
 * \.
 * select pg_catalog.setval('"public"."order_events_id_seq"', 12, true);
 * -- end {"rows":{…},"sha256":"…"}
 * ```
 * The last line contains the row count of each table and the SHA-256 of all preceding bytes.
 */
import * as z from 'zod/mini'
import { StartupError } from '../errors.ts'

export const VERSION = 1

const Migration = z.object({ name: z.string(), checksum: z.string() })
const Header = z.object({ version: z.int(), takenAt: z.string(), migrations: z.array(Migration) })
const Trailer = z.object({ rows: z.record(z.string(), z.int()), sha256: z.string() })
export type Header = z.infer<typeof Header>
type Trailer = z.infer<typeof Trailer>

const headerMark = '-- backup '
const trailerMark = '-- end '
export const endOfRows = Buffer.from('\\.\n')

export const headerLine = (header: Header): string => `${headerMark}${JSON.stringify(header)}\n`
export const trailerLine = (trailer: Trailer): string => `${trailerMark}${JSON.stringify(trailer)}\n`
export const isTrailer = (line: string): boolean => line.startsWith(trailerMark)

/** @throws StartupError if the file is not a backup, or has another format version */
export function parseHeader(line: string, file: string): Header {
  const header = parse(Header, line, headerMark)
  if (!header) throw foreign(file)
  if (header.version !== VERSION) {
    throw new StartupError(
      `${file} has format version ${header.version}, but this version of the shop reads ${VERSION}. Restore it with the version that created it.`,
    )
  }
  return header
}

/** @throws StartupError if the line is incomplete */
export function parseTrailer(line: string, file: string): Trailer {
  const trailer = parse(Trailer, line, trailerMark)
  if (!trailer) throw damaged(file, 'its last line is incomplete')
  return trailer
}

/** Creates the error for a file that is not a backup. */
export function foreign(file: string): StartupError {
  return new StartupError(`${file} is not a backup of this shop. Use a file created by npm run backup.`)
}

/** Creates the error for a corrupt backup. */
export function damaged(file: string, reason: string, cause?: unknown): StartupError {
  return new StartupError(`${file} is damaged (${reason}). Nothing was restored. Use another backup.`, {
    cause,
  })
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
