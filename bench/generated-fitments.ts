import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { type ToFit, vacuum } from '../seed/fill-catalog.ts'
import { fitKinds } from '../seed/fitments.ts'
import { kinds } from '../seed/kinds.ts'
import { aProduct } from '../tests/factories.ts'
import { type Random, randomFor } from '../tests/hardening/random.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { pickAttributes } from './generated-attributes.ts'

export const makes = 20
const [modelsOfMake, firstYear, lastYear] = [25, 2005, 2024]
/** About half of the products are parts for bikes, so this gives 30 fitments per product on average. */
const fitmentsOfPart = 55

/** Adds 10,000 bikes. Returns their ids, the most frequent ones first. */
export async function addGeneratedBikes(db: Kysely<Database>): Promise<number[]> {
  await sql`insert into makes (name, slug) select 'Make ' || n, 'make-' || n from generate_series(1, ${sql.lit(makes)}) as n`.execute(
    db,
  )
  await sql`
    insert into models (make_id, name, slug) select id, 'X' || n, 'x' || n
    from makes, generate_series(1, ${sql.lit(modelsOfMake)}) as n`.execute(db)
  await sql`
    insert into bikes (model_id, year, source) select id, year, 'generated'
    from models, generate_series(${sql.lit(firstYear)}, ${sql.lit(lastYear)}) as year`.execute(db)
  await vacuum(db, ['makes', 'models', 'bikes'])
  const bikes = await db.selectFrom('bikes').select('id').orderBy('id').execute()
  return bikes.map(({ id }) => id)
}

/** Picks a bike. The first one has 3 % of the products, the last ones 0.2 %. */
export const pickBike = (random: Random, bikes: number[]): number =>
  bikes[Math.floor(bikes.length * (random.below(2 ** 30) / 2 ** 30) ** (4 / 3))] ?? 0

/** Gear and universal parts have no bikes, like in the demo. */
export const toFit =
  (bikes: number[]): ToFit =>
  ({ id, drawing, kind }) => {
    const fitKind = fitKinds[kinds[drawing]] ?? 'vehicle'
    const seed = Number.parseInt(id.slice(0, 8), 16)
    const attributes = pickAttributes(randomFor(seed, 1), kind)
    if (fitKind !== 'vehicle') return { fitKind, bikes: [], attributes }
    const chosen = new Set<number>()
    const random = randomFor(seed, 0)
    while (chosen.size < fitmentsOfPart) chosen.add(pickBike(random, bikes))
    return { fitKind, bikes: [...chosen].toSorted((a, b) => a - b), attributes }
  }

/**
 * Adds the fitments of products that have bikes and no fitments yet. Drops the indexes and constraints before, and adds them
 * again at the end: the indexes of 30,000,000 rows are much faster to build at once.
 */
export async function addFitments(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local maintenance_work_mem = '1GB'`.execute(tx)
    const { rows: constraints } = await sql<{ name: string; definition: string }>`
      select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = 'fitments'::regclass and contype in ('p', 'u', 'f')`.execute(tx)
    const table = sql`alter table fitments`
    for (const { name } of constraints) await sql`${table} drop constraint ${sql.ref(name)}`.execute(tx)
    const { rows: indexes } = await sql<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes where tablename = 'fitments'`.execute(
      tx,
    )
    for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(tx)
    await sql`
      insert into fitments (product_id, model_id, year_from, year_to, source)
      select products.id, model_id, year, year, 'generated'
      from products cross join unnest(fits) as fit (bike) join bikes on bikes.id = bike
      where not exists (select from fitments where product_id = products.id)`.execute(tx)
    for (const { name, definition } of constraints) {
      await sql`${table} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
    }
    for (const { definition } of indexes) await sql.raw(definition).execute(tx)
  })
  await vacuum(db, ['fitments'])
}

/** Adds a part with 10,000 fitments of one model, 500 for each year. Returns its id and the ids of the bikes. */
export async function addPartOfManyBikes(shop: ShopUnderTest): Promise<{ product: string; bikes: number[] }> {
  const product = await aProduct(shop)
  await sql`
    insert into fitments (product_id, model_id, year_from, year_to, version, source)
    select ${product}, model_id, year, year, 'V' || n, 'generated' from bikes, generate_series(1, 500) as n
    where model_id = (select min(id) from models)`.execute(shop.db)
  await sql`select refresh_fits(array[${product}])`.execute(shop.db)
  const { rows } = await sql<{ bikes: number[] }>`
    select fits_some as bikes from products where id = ${product}`.execute(shop.db)
  return { product, bikes: rows[0]?.bikes ?? [] }
}
