import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import { type SettingGroup, type SettingValue, settingGroups } from '../../../contract/settings.ts'
import type { Database } from '../../../db/schema.ts'
import { isDatabaseUnavailable } from '../../platform/errors.ts'
import * as repository from './repository.ts'
import {
  type ConfiguredSeller,
  type PublishedSettings,
  publishSettings,
  type SavedShop,
  type SavedValue,
} from './rules.ts'

export type SettingsReader = ReturnType<typeof createSettingsReader>

interface ReaderOptions {
  /** The settings are read again after this time. */
  maxAgeMs: number
  seller: ConfiguredSeller
}

/**
 * Reads the settings of the shop for the whole process, all groups with one statement, so that no page mixes versions.
 * Unchanged settings are the same object.
 */
export function createSettingsReader({ maxAgeMs, seller }: ReaderOptions) {
  let versions = ''
  let published = publishSettings(parseSettings([]), seller)
  let changedAt: Date | null = null
  /** Start of the last read, and of the last fresh one, from `performance.now()`. */
  let readAt = -Infinity
  let freshAt = -Infinity

  async function readNow(db: Kysely<Database>, fresh: boolean): Promise<void> {
    const startedAt = performance.now()
    const rows = await repository.listSettings(db)
    // A read that started later has newer settings. But on a replica it may lack commits that a fresh one has.
    if (startedAt < (fresh ? freshAt : readAt)) return
    if (fresh) freshAt = startedAt
    readAt = Math.max(readAt, startedAt)
    const found = rows
      .map(({ name, version, changed_at }) => `${name} ${version} ${changed_at.getTime()}`)
      .join()
    if (found === versions) return
    versions = found
    published = publishSettings(parseSettings(rows), seller)
    changedAt = rows.length > 0 ? new Date(Math.max(...rows.map((row) => row.changed_at.getTime()))) : null
  }

  return {
    maxAgeMs,

    /** Returns the settings that were read last, or the defaults. */
    last: (): PublishedSettings => published,

    /** Returns the time of the last change; null if nothing was saved yet. */
    changedAt: (): Date | null => changedAt,

    /**
     * Returns the settings, at most `maxAgeMs` old. While the database is unavailable, returns the last ones.
     *
     * @param fresh they must contain all earlier commits
     */
    async read(db: Kysely<Database>, fresh = false): Promise<PublishedSettings> {
      if (!fresh && performance.now() - readAt < maxAgeMs) return published
      try {
        await readNow(db, fresh)
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
      }
      return published
    },
  }
}

/** Reads the saved settings of all groups, without defaults. */
export const getSavedShop = async (db: Kysely<Database>): Promise<SavedShop> =>
  parseSettings(await repository.listSettings(db))

function parseSettings(rows: repository.SavedGroup[]): SavedShop {
  const saved = new Map(rows.map(({ name, value }) => [name, value]))
  const read = <Group extends SettingGroup>(name: Group) =>
    parseGroup(settingGroups[name] as unknown as z.ZodMiniType<SettingValue<Group>>, saved.get(name))
  return {
    shop: read('shop'),
    brand: read('brand'),
    footer: read('footer'),
    home: read('home'),
    emails: read('emails'),
  }
}

/**
 * A field that this version cannot read has its default: another version may have saved it. Without it, a field that
 * depends on it may be wrong as well.
 */
function parseGroup<Group>(schema: z.ZodMiniType<Group>, value: SavedValue = {}): Group {
  const { data, error } = schema.safeParse(value)
  if (!error) return data
  const wrong = new Set(error.issues.map(({ path }) => path[0]))
  const valid = Object.entries(value).filter(([field]) => !wrong.has(field))
  const isFewer = valid.length < Object.keys(value).length
  return parseGroup(schema, isFewer ? Object.fromEntries(valid) : {})
}
