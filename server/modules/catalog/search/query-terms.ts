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

/** What a word can be known to stand in: the products of one kind, or of one brand. */
export type Facet = 'kind' | 'brand'

/**
 * The kinds and brands that some product had with all that the query asks for, or several products had it together:
 * where none stands here, there is none.
 *
 * @param query a `tsquery`, as text
 * @param lexemes those in it
 */
export async function findFacets(
  db: Kysely<Database>,
  query: string,
  lexemes: { lexeme: string; isBeginning: boolean }[],
): Promise<{ facet: Facet; value: string }[]> {
  const words = lexemes.filter(({ isBeginning }) => !isBeginning).map(({ lexeme }) => lexeme)
  const beginnings = lexemes.filter(({ isBeginning }) => isBeginning).map(({ lexeme }) => lexeme)
  const { rows } = await sql<{ facet: Facet; value: string }>`
    select facet, value from (
      select facet, value, array_to_tsvector(array_agg(lexeme)) as document from (
        select * from facet_lexemes where lexeme = any(${words}::text[])
        union all
        select known.* from unnest(${beginnings}::text[]) as beginning, facet_lexemes as known
        where lexeme >= beginning and lexeme < beginning || U&'\\+10FFFF'
      ) as had group by facet, value
    ) as facets where document @@ ${query}::tsquery`.execute(db)
  return rows
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
