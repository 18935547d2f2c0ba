import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { EditableSizeChart, SizeChart } from '../../../../contract/gear.ts'
import type { BrandsTable, CertificatesTable } from '../../../../db/catalog-schema.ts'
import type { Database } from '../../../../db/schema.ts'
import { rowRevision, savedRowWithRevisions } from '../../../platform/database/saved-row.ts'
import { touchSitemapEntries } from '../repository.ts'

export type BrandRow = Selectable<BrandsTable>
export type EditableBrandRow = BrandRow & { revision: string }
export type CertificateRow = Selectable<CertificatesTable>

const brandColumns = [
  'name',
  'maker_name',
  'maker_address',
  'maker_contact',
  'eu_name',
  'eu_address',
  'eu_contact',
  'safety_text',
] as const
const chartColumns = ['id', 'brand', 'kind', 'unit', 'columns', 'rows', 'source'] as const

/** Returns all brands that have data or a size chart. */
export const listBrands = (db: Kysely<Database>): Promise<EditableBrandRow[]> => selectBrands(db).execute()

export const findBrand = (db: Kysely<Database>, name: string): Promise<EditableBrandRow | undefined> =>
  selectBrands(db).where('name', '=', name).executeTakeFirst()

const selectBrands = (db: Kysely<Database>) =>
  db.selectFrom('brands').select(brandColumns).select(rowRevision('brands', 'name'))

/** Adds or replaces the data of a brand. */
export const saveBrand = (db: Kysely<Database>, brand: BrandRow) =>
  db
    .insertInto('brands')
    .values(brand)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(brand))
    .returning(savedRowWithRevisions('name'))
    .executeTakeFirstOrThrow()

const selectCharts = (db: Kysely<Database>) =>
  db.selectFrom('size_charts').select(chartColumns).select(rowRevision('size_charts', 'id'))

export const findChart = (db: Kysely<Database>, id: string): Promise<EditableSizeChart | undefined> =>
  selectCharts(db).where('id', '=', id).executeTakeFirst()

/** Lists a page of the charts by brand and kind, with the number of all. */
export async function listCharts(
  db: Kysely<Database>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: EditableSizeChart[]; total: number }> {
  const [rows, { total }] = await Promise.all([
    selectCharts(db).orderBy('brand').orderBy('kind').limit(limit).offset(offset).execute(),
    db
      .selectFrom('size_charts')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}

/** Adds or replaces a size chart, and adds its brand if that has no data. */
export function saveChart(db: Kysely<Database>, { columns, rows, ...chart }: SizeChart) {
  const row = { ...chart, columns: JSON.stringify(columns), rows: JSON.stringify(rows) }
  return db
    .with('added', (cte) =>
      cte
        .insertInto('brands')
        .values({ name: chart.brand })
        .onConflict((conflict) => conflict.doNothing()),
    )
    .insertInto('size_charts')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .returning(savedRowWithRevisions('id'))
    .executeTakeFirstOrThrow()
}

/** Returns the deleted chart; undefined if it does not exist. */
export const deleteChart = (db: Kysely<Database>, id: string): Promise<Omit<SizeChart, 'id'> | undefined> =>
  db
    .deleteFrom('size_charts')
    .where('id', '=', id)
    .returning(['brand', 'kind', 'unit', 'columns', 'rows', 'source'])
    .executeTakeFirst()

export interface Gear {
  certificates: CertificateRow[]
  brand: BrandRow | null
  chart: SizeChart | null
}

/** Reads the certificates of a product, and the data and the size chart of its brand. */
export async function findGear(
  db: Kysely<Database>,
  product: { id: string; brand: string | null; kind: string | null },
): Promise<Gear> {
  const { rows } = await sql<Gear>`
    select
      array(select to_jsonb(certificates) from certificates where product_id = ${product.id}
        order by standard, zone) as certificates,
      (select to_jsonb(brands) from brands where name = ${product.brand}) as brand,
      (select to_jsonb(size_charts) from size_charts
        where brand = ${product.brand} and kind = ${product.kind}) as chart`.execute(db)
  return rows[0] ?? { certificates: [], brand: null, chart: null }
}

export const listCertificates = (db: Kysely<Database>, productId: string): Promise<CertificateRow[]> =>
  db
    .selectFrom('certificates')
    .select(['product_id', 'standard', 'class', 'zone', 'number', 'document_url'])
    .where('product_id', '=', productId)
    .orderBy('standard')
    .orderBy('zone')
    .execute()

/**
 * Replaces the certificates of a locked product, and the values that the filter reads. The page and the feed show them,
 * so the sitemap has a new date.
 */
export async function writeCertificates(
  db: Kysely<Database>,
  productId: string,
  certificates: Insertable<CertificatesTable>[],
): Promise<void> {
  await db.deleteFrom('certificates').where('product_id', '=', productId).execute()
  if (certificates.length > 0) await db.insertInto('certificates').values(certificates).execute()
  await sql`
    update products set certificate_values = array(
      select distinct certificate_value(standard, class) from certificates where product_id = ${productId} order by 1)
    where id = ${productId}`.execute(db)
  await touchSitemapEntries(db, [productId])
}
