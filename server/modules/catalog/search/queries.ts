import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'

/** What was typed as a `tsquery` in text, where there is a word in it. */
export async function readQuery(db: Kysely<Database>, typed: string): Promise<string | null> {
  const { rows } = await sql<{ query: string | null }>`select search_query(${typed})::text as query`.execute(
    db,
  )
  return rows[0]?.query || null
}

/** A `tsquery` of words and signs that were put together by us; words are taken by their stems. */
export async function stemQuery(db: Kysely<Database>, query: string): Promise<string> {
  const { rows } = await sql<{ query: string }>`
    select to_tsquery('public.catalogue', ${query})::text as query`.execute(db)
  return rows[0]?.query ?? ''
}

/** The words that were typed, without accents, and for each the words of the catalogue that look somewhat like it. */
export async function findAlike(
  db: Kysely<Database>,
  typed: string,
): Promise<{ typed: string; known: string[] }[]> {
  const { rows } = await sql<{ typed: string; known: string[] }>`
    select typed, array(
      (select word from product_words where word % typed order by similarity(word, typed) desc limit 50)
      union
      (select word from product_words
        where word >= left(typed, 1) and word < left(typed, 1) || U&'\\+10FFFF'
          and length(word) between length(typed) - 2 and length(typed) + 2
        limit 1000)
    ) as known
    from string_to_table(trim(plain_words(${typed})), ' ') with ordinality as words (typed, place)
    where place <= 10 and length(typed) <= 40
    order by place`.execute(db)
  return rows
}
