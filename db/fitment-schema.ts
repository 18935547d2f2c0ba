import type { Generated, GeneratedAlways } from 'kysely'
import type { Timestamp } from './column-types.ts'

export interface MakesTable {
  id: GeneratedAlways<number>
  name: string
  /** For URLs. */
  slug: string
  /** Slugs of earlier names. */
  old_slugs: Generated<string[]>
}

export interface ModelsTable {
  id: GeneratedAlways<number>
  make_id: number
  name: string
  slug: string
  old_slugs: Generated<string[]>
}

export interface BikesTable {
  id: GeneratedAlways<number>
  model_id: number
  year: number
  /** Empty: not stated. */
  version: Generated<string>
  engine_cc: number | null
  source: string
}

export interface BikeAliasesTable {
  alias_key: string
  model_id: number
}

export interface FitmentsTable {
  id: GeneratedAlways<number>
  product_id: string
  model_id: number
  year_from: number
  year_to: number
  /** Null: every version. */
  version: string | null
  position: string | null
  /** Per bike. */
  pieces: number | null
  note: string | null
  source: string
  /** YYYY-MM-DD */
  confirmed_on: string | null
}

export interface PartNumbersTable {
  product_id: string
  kind: 'oem' | 'interchange' | 'supersedes'
  maker: Generated<string>
  number: string
  /** The number in capitals, without punctuation. */
  number_key: GeneratedAlways<string>
}

export interface GarageBikesTable {
  customer_id: string
  bike_id: number
  is_current: Generated<boolean>
  added_at: Timestamp
}
