import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { Product } from '../../../../contract/catalog.ts'
import { type Certificate, describeCertificate } from '../../../../contract/certificates.ts'
import type {
  Brand,
  EditableSizeChart,
  EditedManufacturer,
  EditedSizeChart,
  Manufacturer,
  SizeChart,
} from '../../../../contract/gear.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { inTransaction, rejectTaken } from '../../../platform/database/database.ts'
import { requireRevision } from '../../../platform/database/saved-row.ts'
import { ShopError } from '../../../platform/errors.ts'
import { type Page, toLimitOffset } from '../../../platform/http/paging.ts'
import { recordChange } from '../../audit/service.ts'
import { addHistory } from '../repository.ts'
import { countFacets, countProducts } from '../search/search.ts'
import * as repository from './repository.ts'

interface PageQuery {
  q?: string | undefined
  page?: number | undefined
  pageSize?: number | undefined
}

const dataOrder: Brand['data'][] = ['missing', 'incomplete', 'complete']

/** Lists the brands of products and those with data; brands without data first. A shop has at most some thousands. */
export async function listBrands(db: Kysely<Database>, query: PageQuery): Promise<Page<Brand>> {
  const [{ facets }, rows] = await Promise.all([countFacets(db, {}), repository.listBrands(db)])
  const counts = new Map(facets.brand.values.map(({ value, count }) => [value, count]))
  const byName = new Map(rows.map((row) => [row.name, row]))
  const names = [...new Set([...counts.keys(), ...byName.keys()])]
  const brands = names
    .map((name) => presentBrand(name, counts.get(name) ?? 0, byName.get(name)))
    .toSorted(
      (a, b) => dataOrder.indexOf(a.data) - dataOrder.indexOf(b.data) || a.name.localeCompare(b.name, 'en'),
    )
  const typed = (query.q ?? '').toLowerCase()
  const found = brands.filter(({ name }) => name.toLowerCase().includes(typed))
  const { limit, offset } = toLimitOffset(query)
  return { rows: found.slice(offset, offset + limit), total: found.length }
}

/** @throws NOT_FOUND if no product has this brand, and it has no data */
export async function requireBrand(db: Kysely<Database>, name: string): Promise<Brand> {
  const [products, row] = await Promise.all([
    countProducts(db, { brand: [name] }),
    repository.findBrand(db, name),
  ])
  if (products === 0 && !row) throw new ShopError('NOT_FOUND')
  return presentBrand(name, products, row)
}

/**
 * Replaces the data of a brand.
 *
 * @param edited without a revision, it overwrites other admins' changes
 * @throws NOT_FOUND if no product has this brand, and it has no data; RECORD_CHANGED
 */
export async function saveBrand(
  db: Kysely<Database>,
  name: string,
  { revision, ...manufacturer }: EditedManufacturer,
  savedBy: Actor | null,
): Promise<Brand> {
  const { products } = await requireBrand(db, name)
  const row = toBrandRow(name, manufacturer)
  return inTransaction(db, async (tx) => {
    const { revisions, ...saved } = await repository.saveBrand(tx, row)
    requireRevision(revisions, revision)
    await recordChange(tx, { area: 'brands', subject: name, ...saved, actor: savedBy })
    return presentBrand(name, products, { ...row, revision: revisions.after })
  })
}

const toBrandRow = (name: string, { eu, safetyText, ...maker }: Manufacturer): repository.BrandRow => ({
  name,
  maker_name: maker.name || null,
  maker_address: maker.address || null,
  maker_contact: maker.contact || null,
  eu_name: eu?.name || null,
  eu_address: eu?.address || null,
  eu_contact: eu?.contact || null,
  safety_text: safetyText || null,
})

function presentBrand(name: string, products: number, row: repository.EditableBrandRow | undefined): Brand {
  const manufacturer = row ? presentManufacturer(row) : undefined
  const revision = row?.revision ?? ''
  return { name, products, data: rateData(manufacturer), manufacturer: manufacturer ?? {}, revision }
}

/** Returns undefined if nothing is known. */
function presentManufacturer(row: repository.BrandRow): Manufacturer | undefined {
  const maker = presentContact(row.maker_name, row.maker_address, row.maker_contact)
  const eu = presentContact(row.eu_name, row.eu_address, row.eu_contact)
  if (!maker && !eu && !row.safety_text) return undefined
  return { ...maker, eu, safetyText: row.safety_text ?? undefined }
}

function presentContact(name: string | null, address: string | null, contact: string | null) {
  if (!name && !address && !contact) return undefined
  return { name: name ?? undefined, address: address ?? undefined, contact: contact ?? undefined }
}

/** A maker outside the EU needs an EU contact. If there is an EU contact, all its fields are required. */
function rateData(manufacturer: Manufacturer | undefined): Brand['data'] {
  if (!manufacturer) return 'missing'
  const contacts = manufacturer.eu ? [manufacturer, manufacturer.eu] : [manufacturer]
  const isComplete = contacts.every(({ name, address, contact }) => name && address && contact)
  return isComplete ? 'complete' : 'incomplete'
}

export const listSizeCharts = (db: Kysely<Database>, query: PageQuery): Promise<Page<EditableSizeChart>> =>
  repository.listCharts(db, toLimitOffset(query))

/** @throws NOT_FOUND */
export async function requireSizeChart(db: Kysely<Database>, id: string): Promise<EditableSizeChart> {
  const chart = await repository.findChart(db, id)
  if (!chart) throw new ShopError('NOT_FOUND')
  return chart
}

/**
 * Adds or replaces a size chart.
 *
 * @param edited without a revision, it overwrites other admins' changes
 * @throws SIZE_CHART_TAKEN if its brand has another one for this kind; RECORD_CHANGED
 */
export async function saveSizeChart(
  db: Kysely<Database>,
  id: string,
  { revision, ...edited }: EditedSizeChart,
  savedBy: Actor | null,
): Promise<EditableSizeChart> {
  const chart = { ...edited, id }
  return inTransaction(db, async (tx) => {
    const { revisions, ...saved } = await repository.saveChart(tx, chart)
    requireRevision(revisions, revision)
    await recordChange(tx, { ...toChangedChart(chart), ...saved, actor: savedBy })
    return { ...chart, revision: revisions.after }
  }).catch(rejectTaken({ size_charts_brand_kind: 'SIZE_CHART_TAKEN' }))
}

/** @throws NOT_FOUND */
export async function deleteSizeChart(db: Kysely<Database>, id: string, deletedBy: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const chart = await repository.deleteChart(tx, id)
    if (!chart) throw new ShopError('NOT_FOUND')
    await recordChange(tx, { ...toChangedChart(chart), before: chart, after: null, actor: deletedBy })
  })
}

/** The audit lists changes of a size chart as changes of its brand. */
const toChangedChart = ({ brand, kind }: Pick<SizeChart, 'brand' | 'kind'>) =>
  ({ area: 'brands', subject: brand, name: `${brand}, ${kind}` }) as const

export const listCertificates = async (db: Kysely<Database>, productId: string): Promise<Certificate[]> =>
  (await repository.listCertificates(db, productId)).map(presentCertificate)

/**
 * Replaces the certificates of a product, and logs their change. Returns them as they are stored.
 *
 * @param savedBy the admin, or null if the shop seeds itself
 */
export async function replaceCertificates(
  tx: Kysely<Database>,
  productId: string,
  certificates: Certificate[],
  savedBy: Actor | null,
): Promise<Certificate[]> {
  const stored = await listCertificates(tx, productId)
  const rows = certificates.map((certificate) => ({
    product_id: productId,
    standard: certificate.standard,
    class: certificate.class ?? '',
    zone: certificate.zone ?? '',
    number: certificate.number || null,
    document_url: certificate.documentUrl || null,
  }))
  await repository.writeCertificates(tx, productId, rows)
  const saved = await listCertificates(tx, productId)
  if (isDeepStrictEqual(stored, saved)) return saved
  const toLog = (each: Certificate[]) => ({ certificates: each.map(toLogText) })
  await addHistory(tx, [{ product_id: productId, before: toLog(stored), after: toLog(saved) }], savedBy)
  return saved
}

const toLogText = (certificate: Certificate): string =>
  [describeCertificate(certificate), certificate.number, certificate.documentUrl].filter(Boolean).join(', ')

const presentCertificate = (row: repository.CertificateRow): Certificate => ({
  standard: row.standard,
  class: row.class || undefined,
  zone: row.zone || undefined,
  number: row.number ?? undefined,
  documentUrl: row.document_url ?? undefined,
})

/** Returns what the page of a product shows about its safety, its sizes and its maker. */
export async function readGear(
  db: Kysely<Database>,
  product: { id: string; brand: string | null; kind: string | null },
): Promise<Pick<Product, 'certificates' | 'sizeChart' | 'manufacturer'>> {
  const { certificates, brand, chart } = await repository.findGear(db, product)
  return {
    certificates: certificates.length > 0 ? certificates.map(presentCertificate) : undefined,
    sizeChart: chart ?? undefined,
    manufacturer: brand ? presentManufacturer(brand) : undefined,
  }
}
