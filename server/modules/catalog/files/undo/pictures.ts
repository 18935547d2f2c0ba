import { type RawBuilder, sql } from 'kysely'

type Value = RawBuilder<unknown>

/** The copy of a picture at another address, or else the picture itself. */
const toCopy = (image: Value): Value => sql`coalesce(
  (select known.image from picture_downloads as known where known.url = ${image}), ${image})`

/**
 * SQL of a value of `image` or `pictures` with copies in place of their URLs. As the shop does when it copies them, lists a
 * picture once. Positions are left out.
 */
const toCopies = (value: Value): Value => sql`case jsonb_typeof(${value})
  when 'string' then to_jsonb(${toCopy(sql`(${value} #>> '{}')`)})
  when 'array' then (
    select jsonb_agg(picture order by place) from (
      select min(place) as place,
        (array_agg((picture - 'position') || jsonb_build_object('image', copy) order by place))[1] as picture
      from jsonb_array_elements(${value}) with ordinality as listed (picture, place),
        lateral (select ${toCopy(sql`(picture ->> 'image')`)} as copy) as copied
      group by copy) as listed)
  end`

/** Whether two values are the same, or the shop has only copied the pictures of one. Expects the name of the values as `key`. */
export const isSame = (one: Value, other: Value): Value => sql`coalesce(case when ${one} = ${other} then true
  when key in ('image', 'pictures') then ${toCopies(one)} = ${toCopies(other)} end, false)`

const hasOnlyPictures = (values: Value) => sql`${values} - '{image,pictures}'::text[] = '{}'`
const hasSameCopies = (key: 'image' | 'pictures') => {
  const [before, after] = [sql`(later.before -> ${sql.lit(key)})`, sql`(later.after -> ${sql.lit(key)})`]
  return sql`${toCopies(before)} is not distinct from ${toCopies(after)}`
}

/** Whether the change `later` of a product only replaces pictures by their copies. */
export const isCopying: Value = sql`(later.kind = 'edited'
  and ${hasOnlyPictures(sql`later.before`)} and ${hasOnlyPictures(sql`later.after`)}
  and ${hasSameCopies('image')} and ${hasSameCopies('pictures')})`
