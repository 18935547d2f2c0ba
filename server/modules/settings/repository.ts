import { type Kysely, sql } from 'kysely'
import type { SettingGroup } from '../../../contract/settings.ts'
import type { Database } from '../../../db/schema.ts'
import type { SavedValue } from './rules.ts'

/** The groups of the screens, and the rule for two-step login, which only the owner may change. */
type SavedName = SettingGroup | 'two_step'

export interface SavedGroup {
  name: string
  value: SavedValue
  version: number
  changed_at: Date
}

const columns = ['name', 'value', 'version', 'changed_at'] as const

/** Reads all groups with one statement, so that they are of the same time. */
export const listSettings = (db: Kysely<Database>): Promise<SavedGroup[]> =>
  db.selectFrom('shop_settings').select(columns).orderBy('name').execute()

export const findSettings = (db: Kysely<Database>, name: SavedName): Promise<SavedGroup | undefined> =>
  db.selectFrom('shop_settings').select(columns).where('name', '=', name).executeTakeFirst()

/**
 * Saves a group if its version is still the expected one, which is 0 before the first save. Returns the next version, or
 * undefined if it was saved in the meantime.
 */
export async function saveSettings(
  tx: Kysely<Database>,
  name: SavedName,
  value: SavedValue,
  expected: number,
): Promise<number | undefined> {
  const json = JSON.stringify(value)
  const { rows } =
    expected === 0
      ? await sql<{ version: number }>`
          insert into shop_settings (name, value) values (${name}, ${json}::jsonb)
          on conflict do nothing returning version`.execute(tx)
      : await sql<{ version: number }>`
          update shop_settings
          set value = ${json}::jsonb, version = version + 1, changed_at = clock_timestamp()
          where name = ${name} and version = ${expected} returning version`.execute(tx)
  return rows[0]?.version
}
