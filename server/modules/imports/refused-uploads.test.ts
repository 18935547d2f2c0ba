import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ImportKind } from '../../../contract/imports.ts'
import { maxPictureBytes } from '../../../contract/picture-uploads.ts'
import { aCustomer, anAdmin } from '../../../tests/factories.ts'
import { productHeader, productRow } from '../../../tests/product-import.ts'
import { rawHead, sendRaw } from '../../../tests/raw-http.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { lockImports } from './repository.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

interface Upload {
  path: string
  type: string
  body: Buffer
}

/** Uploads a file like a browser: sends all of it, and then uses the connection for another request. */
async function uploadWhole({ path, type, body }: Upload, as = admin) {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: shop',
    `Authorization: Bearer ${as.token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    '',
    '',
  ].join('\r\n')
  const response = await sendRaw(
    shop.config.origin,
    Buffer.concat([Buffer.from(head), body, Buffer.from(rawHead('GET', '/healthz'))]),
  )
  const [own = '', next = ''] = response.body.split(/(?=HTTP\/1\.1 )/)
  return { status: response.status, body: JSON.parse(own), next: next.split('\r\n', 1)[0] }
}

const importPath = (kind: ImportKind) => `/api/v1/imports?fileName=a&kind=${kind}`
const pads = productRow('P-1')
/** 5 MB of valid rows. */
const rows = `${productRow('P-2', { name: 'x'.repeat(150) })}\n`.repeat(25_000)
const aces = '<ACES version="4.2">'
const apps = '<App action="A" id="1"></App>\n'.repeat(170_000)

test.each<[string, ImportKind, string | Buffer, RegExp]>([
  ['an unknown column', 'products', `sku,shade\n${rows}`, /^Row 1: unknown column “shade”/],
  ['a column twice', 'products', `sku,name,sku\n${rows}`, /^Row 1: the column “sku” appears twice/],
  ['a missing column', 'fitments', `make,model\n${rows}`, /^Row 1: the column “part_number” is missing/],
  ['the format of a workbook', 'products', `PK\x03\x04\n${rows}`, /^This is an Excel workbook/],
  [
    'two encodings',
    'products',
    Buffer.concat([
      Buffer.from(`${productHeader}\nP-1,Zündkerze\n`),
      Buffer.from(`P-2,Zündkerze\n${rows}`, 'latin1'),
    ]),
    /^Row 3: this row is not UTF-8/,
  ],
  [
    'a quotation mark inside a cell',
    'products',
    `${productHeader}\nP-2,7" disc\n${rows}`,
    /^Row 2: unescaped quotation mark/,
  ],
  [
    'an unclosed cell',
    'products',
    `${productHeader}\n${pads}\nP-2,"x\n${rows}`,
    /^Row 3: the row is too long/,
  ],
  ['invalid XML', 'aces', `${aces}</Header>${apps}`, /^Line 1: the XML is not valid/],
  ['another XML format', 'aces', `<PIES>${apps}`, /^Line 1: this is not an ACES file/],
  ['a document type', 'aces', `<!DOCTYPE ACES>${aces}${apps}`, /^Line 1: a document type/],
  ['another XML encoding', 'aces', Buffer.from(`\uFEFF${aces}${apps}`, 'utf16le'), /^The file is not UTF-8/],
])('an upload with %s ends, and its import has the reason', async (_what, kind, file, failure) => {
  const path = importPath(kind)
  const { status, body, next } = await uploadWhole({ path, type: 'text/csv', body: Buffer.from(file) })
  expect({ status, next }).toEqual({ status: 200, next: 'HTTP/1.1 200 OK' })
  const found = await shop.call('getImport', { as: admin, params: { id: body.id } })
  expect(found.body).toMatchObject({ state: 'failed', failure: expect.stringMatching(failure) })
})

const csv = { path: importPath('products'), type: 'text/csv', body: Buffer.from(`${productHeader}\n${rows}`) }
const picture = { path: '/api/v1/pictures', type: 'image/png', body: Buffer.alloc(maxPictureBytes) }
const answered = (code: Parameters<typeof refused>[0]) => ({
  ...refused(code, { requestId: expect.any(String) }),
  next: 'HTTP/1.1 200 OK',
})

test.each<[string, Upload, Parameters<typeof refused>[0]]>([
  ['a file without a name', { ...csv, path: '/api/v1/imports' }, 'INVALID_REQUEST'],
  ['a file of another type', { ...csv, type: 'text/html' }, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a picture of another type', { ...picture, type: 'text/html' }, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a picture that is none', picture, 'PICTURE_KIND_REFUSED'],
  ['a picture that is too large', { ...picture, body: Buffer.alloc(maxPictureBytes + 1) }, 'BODY_TOO_LARGE'],
])('an upload of %s ends with the error', async (_what, upload, code) => {
  expect(await uploadWhole(upload)).toMatchObject(answered(code))
})

test('an upload by a customer, and one during another import, ends with the error', async () => {
  expect(await uploadWhole(csv, await aCustomer(shop))).toMatchObject(answered('ADMIN_REQUIRED'))
  await shop.db.transaction().execute(async (tx) => {
    expect(await lockImports(tx)).toBe(true)
    expect(await uploadWhole(csv)).toMatchObject(answered('IMPORT_IN_PROGRESS'))
  })
})

test('an upload that the database refuses ends, and its import says so', async () => {
  await sql`alter table product_import_rows add constraint broken check (sku <> 'P-2') not valid`.execute(
    shop.db,
  )
  const { status, body, next } = await uploadWhole(csv)
  await sql`alter table product_import_rows drop constraint broken`.execute(shop.db)
  expect({ status, next }).toEqual({ status: 200, next: 'HTTP/1.1 200 OK' })
  const found = await shop.call('getImport', { as: admin, params: { id: body.id } })
  expect(found.body.state).toBe('failed')
})
