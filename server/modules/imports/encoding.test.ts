import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { FileEncoding } from '../../../contract/supplier-files.ts'
import { toUtf8 } from './encoding.ts'
import { parseFilePrice, readFile, toColumnKey, toColumnNames } from './read-file.ts'
import { readRecords } from './read-records.ts'

/** As https://encoding.spec.whatwg.org/#index-windows-1252 has the bytes 0x80 to 0x9F. */
const codePoints = [
  0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d,
  0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a,
  0x153, 0x9d, 0x17e, 0x178,
]

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

test('all 256 bytes of Windows-1252 have their characters', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const expected = Array.from(bytes, (byte) =>
    byte >= 0x80 && byte <= 0x9f ? codePoints[byte - 0x80] : byte,
  )
  const decoded = await text(toUtf8(inChunks(Buffer.from(bytes), 100), 'windows-1252'))
  expect(Array.from(decoded, (sign) => sign.codePointAt(0))).toEqual(expected)
})

const toWindows1252 = (text: string) => {
  const signs = new Map(codePoints.map((point, index) => [String.fromCodePoint(point), 0x80 + index]))
  return Buffer.from(Array.from(text, (sign) => signs.get(sign) ?? sign.charCodeAt(0)))
}
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()

/** Texts without any umlaut in the first rows. */
const rows = Array.from({ length: 400 }, (_, index) => [
  `P-${index}`,
  index < 300 ? 'Chain' : `Zündkerze – „Öl“ ${index} €`,
])
const format = {
  columns: { sku: z.string(), name: z.string() },
  numbers: [],
  refuseColumns: () => null,
  finishRow: (row: Record<string, unknown>) => ({ row }),
}

async function readNames(bytes: Buffer, size: number): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const batch of readFile(inChunks(bytes, size), format)) {
    expect(batch.errors).toEqual([])
    found.push(...batch.rows)
  }
  return found
}

describe.each([
  ['UTF-8', (text: string) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['Windows-1252', toWindows1252],
  ['UTF-16 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 without one', (text: string) => Buffer.from(text, 'utf16le')],
  ['big-endian UTF-16', (text: string) => swapped(Buffer.from(`\ufeff${text}`, 'utf16le'))],
] as const)('a file in %s', (_name, encode) => {
  test.each([',', ';', '\t'])(
    'has the same rows with the separator %j, in chunks of any size',
    async (separator) => {
      const text = [['sku', 'name'], ...rows].map((cells) => cells.join(separator)).join('\r\n')
      const expected = rows.map(([sku, name], index) => ({ row: index + 2, sku, name }))
      const bytes = encode(text)
      // Small chunks divide characters and line breaks.
      const sizes = fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1024, max: 65_536 }))
      await fc.assert(
        fc.asyncProperty(sizes, async (size) => {
          expect(await readNames(bytes, size)).toEqual(expected)
        }),
        { numRuns: 12 },
      )
    },
  )
})

test('a first line such as sep=; names the separator and does not count as a row', async () => {
  const file = Buffer.from('\ufeffsep=;\r\nsku;name\r\nP-1;a,b,c\r\n')
  expect(await readNames(file, 1024)).toEqual([{ row: 2, sku: 'P-1', name: 'a,b,c' }])
})

describe.each([1, 7, 1024])('in chunks of %i bytes', (size) => {
  test.each([
    [';', '"Artikel\nnummer";Preis;Bestand', ['Artikel\nnummer', 'Preis', 'Bestand']],
    ['\t', '"Artikel\nnummer"\tPreis\tBestand', ['Artikel\nnummer', 'Preis', 'Bestand']],
    [';', 'Artikelnummer;"Preis, netto, EUR"', ['Artikelnummer', 'Preis, netto, EUR']],
    [';', '"Preis ""netto"", in\n, EUR";Menge', ['Preis "netto", in\n, EUR', 'Menge']],
  ])('the separator %j is found outside of the quotation marks of the header', async (sign, line, header) => {
    const found: unknown[] = []
    for await (const { cells, separator } of readRecords(inChunks(Buffer.from(`${line}\nP-1,,,,\n`), size))) {
      found.push([separator, cells])
    }
    expect(found[0]).toEqual([sign, header])
  })
})

async function readAll(text: string, columns = format.columns) {
  for await (const { errors, rows: valid } of readFile(inChunks(Buffer.from(text), 1024), {
    ...format,
    columns,
  })) {
    return { errors, valid }
  }
  return null
}

test('a repeated name of a column gets a number, which its key has too', () => {
  const long = 'ä'.repeat(60)
  const header = [
    'Preis',
    ' preis ',
    'Preis (2)',
    'PREIS',
    '',
    '',
    'Reason',
    'reason',
    `${long}1`,
    `${long}2`,
  ]
  const names = toColumnNames(header)
  expect(names).toEqual([
    'Preis',
    'preis (2)',
    'Preis (2) (2)',
    'PREIS (3)',
    '',
    '',
    'Reason',
    'reason',
    long,
    `${long.slice(4)} (2)`,
  ])
  expect(names.map(toColumnKey)).toEqual(names.map((name) => name.toLowerCase()))
})

test('columns without a name must have no values', async () => {
  expect(await readAll('sku;name;;\nP-1;a;;\nP-2;b\n')).toEqual({
    errors: [],
    valid: [
      { row: 2, sku: 'P-1', name: 'a' },
      { row: 3, sku: 'P-2', name: 'b' },
    ],
  })
  expect(await readAll('sku;name;;\nP-1;a;;x\n')).toMatchObject({
    errors: [{ row: 2, message: 'Cell 4 has a value, but its column has no name' }],
  })
})

test('a row may lack blank cells at its end or have more of them, as Excel writes it', async () => {
  const columns = { ...format.columns, brand: z.optional(z.string()) }
  expect(await readAll('sku,name,brand\nP-1,Pads\nP-2,Pads,, \nP-3,Pads,,x\nP-4\n', columns)).toEqual({
    errors: [
      { row: 4, column: '', message: 'This row has 4 cells, the header has 3' },
      { row: 5, column: 'name', message: expect.any(String) },
    ],
    valid: [
      { row: 2, sku: 'P-1', name: 'Pads' },
      { row: 3, sku: 'P-2', name: 'Pads' },
    ],
  })
})

test.each(['\n', '\r\n', '\r'])(
  'a last row without a line break must have all cells, after %j',
  async (end) => {
    const columns = { ...format.columns, brand: z.optional(z.string()) }
    const file = ['sku,name,brand', 'P-1,Pads', 'P-2,Pad'].join(end)
    expect(await readAll(file, columns)).toEqual({
      errors: [{ row: 3, column: '', message: 'This row has 2 cells, the header has 3' }],
      valid: [{ row: 2, sku: 'P-1', name: 'Pads' }],
    })
    expect(await readAll(file + end, columns)).toMatchObject({ errors: [] })
    expect(await readAll(`${file},`, columns)).toMatchObject({ errors: [] })
  },
)

const readCells = async (bytes: Buffer, encoding?: FileEncoding) => {
  const found: string[][] = []
  for await (const { cells } of readRecords(inChunks(bytes, 1024), encoding)) found.push(cells)
  return found
}

test.each([
  ['Mac', 'Bremsbel\x8age', 'BremsbelŠge'],
  ['Mac', 'Kupplung K\x9fhler', 'KŸhler'],
  ['Mac', 'Gr\x9a\xa7e', 'Grš§e'],
  ['Mac', 'pi\x8fce d\x8etach\x8ee', 'pi�ce'],
  ['MS-DOS', 'Bremsbel\x84ge', 'Bremsbel„ge'],
  ['MS-DOS', 'Gr\x94\xe1e', 'Gr”áe'],
  ['MS-DOS', 'M\x81tze', 'M�tze'],
  ['MS-DOS', 'pi\x8ace d\x82tach\x82e', 'piŠce'],
])('the wrong word in a file of %s is named: %j becomes %s', async (_name, name, word) => {
  const file = Buffer.from(`sku;name\nP-1;x\nP-2;${name}\n`, 'latin1')
  await expect(readCells(file)).rejects.toThrow(
    `Row 3: letters look wrong (“${word}”). Save the file as “CSV UTF-8”.`,
  )
  expect(await readCells(file, 'windows-1252')).toHaveLength(3)
})

test('words of languages with Windows-1252 are not refused', async () => {
  const names =
    'Škoda, ŠKODA, KOŠARICA, koža, mašina, ŽAR, Žar, Tšekki, œuvre, ŒUVRE, d’Œuvre, L’Haÿ, HAŸ, „Öl“, ”öljy”, ‚x‘, § 5a, • rot, 10 × 5'
  const cells = [['name'], ...names.split(', ').map((name) => [name])]
  expect(await readCells(toWindows1252(cells.join('\n')))).toEqual(cells)
})

test.each([1, 2, 1024])('a byte order mark is UTF-8 in any encoding, in chunks of %i bytes', async (size) => {
  const file = Buffer.from('\ufeffsku;name\nP-1;Zündkerze\n')
  const read: Buffer[] = []
  for await (const piece of toUtf8(inChunks(file, size), 'windows-1250')) read.push(piece)
  expect(Buffer.concat(read)).toEqual(file)
})

test('bytes that are not UTF-8 after UTF-8 are passed on', async () => {
  const mixed = Buffer.concat([Buffer.from('ü\n'), Buffer.from('ü\n', 'latin1')])
  const read: Buffer[] = []
  for await (const piece of toUtf8(inChunks(mixed, 3))) read.push(piece)
  expect(Buffer.concat(read)).toEqual(mixed)
})

test.each([
  ['12,50', ';', 12.5],
  ['12,5', '\t', 12.5],
  ['1.234,50', ';', 1234.5],
  ['1,234.50', ';', 1234.5],
  ['1,234.50', ',', 1234.5],
  ['1.234.567,89', ',', 1_234_567.89],
  ['12.50', ';', 12.5],
  ['12,50', ',', '12,50'],
  ['1,000', ';', '1,000'],
  ['1.000', ';', '1.000'],
  ['1.000', ',', '1.000'],
  ['12,345', ';', '12,345'],
  ['€ 12,50', ';', '€ 12,50'],
  ['1,23,4.50', ';', '1,23,4.50'],
])('the price %j between %j is %j', (text, separator, expected) => {
  expect(parseFilePrice(text, separator)).toBe(expected)
})
