import type { ColumnType } from 'kysely'

export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
export type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>

export type Json<T> = ColumnType<T, string | undefined, string>
