import { normalizePath } from '../../../../../contract/shop-paths.ts'
import { FileRefused, toExcerpt } from '../../../imports/read-file.ts'
import {
  type Converter,
  createColumnNotes,
  findPlaces,
  type Notes,
  type NotImported,
  nameColumns,
  orBlank,
  readCell,
  type SourceProduct,
  type SourceRow,
  type SourceVariant,
  toChoice,
  toDescription,
  toGrams,
  toGtin,
  toImage,
  toPictures,
  toPrice,
  toStock,
} from './conversion.ts'

/** The columns that are imported, by the current name and the earlier one. Files may mix them. */
const columns = {
  handle: ['url handle', 'handle'],
  title: ['title'],
  description: ['description', 'body (html)'],
  vendor: ['vendor'],
  type: ['type'],
  category: ['product category'],
  status: ['status'],
  published: ['published on online store', 'published'],
  giftCard: ['gift card'],
  optionName1: ['option1 name'],
  optionValue1: ['option1 value'],
  optionName2: ['option2 name'],
  optionValue2: ['option2 value'],
  optionName3: ['option3 name'],
  optionValue3: ['option3 value'],
  sku: ['sku', 'variant sku'],
  barcode: ['barcode', 'variant barcode'],
  price: ['price', 'variant price'],
  tracker: ['inventory tracker', 'variant inventory tracker'],
  quantity: ['inventory quantity', 'variant inventory qty'],
  policy: ['continue selling when out of stock', 'variant inventory policy'],
  grams: ['weight value (grams)', 'variant grams'],
  image: ['product image url', 'image src'],
  position: ['image position'],
  variantImage: ['variant image url', 'variant image'],
} as const satisfies Record<string, readonly string[]>
type Field = keyof typeof columns

const notImported: NotImported = [
  [/^tags$/, 'Tags are not imported'],
  [/^(variant )?compare[- ]at price$/, 'Compare-at prices are not imported'],
  [/^seo /, 'Titles and descriptions for search engines are not imported'],
  [/^google shopping \//, 'Values for Google Shopping are not imported'],
  [/^(compare[- ]at )?price \//, 'Prices of single markets are not imported'],
  [/^included \//, 'Markets are not imported'],
  [/metafields\./, 'Metafields are not imported'],
  [/^cost per item$/, 'Costs are not imported'],
  [/^(charge tax|variant taxable|(variant )?tax code)$/, 'Tax settings are not imported'],
  [/^unit price /, 'Unit prices are not imported'],
]
const ignored =
  /^((variant )?(requires shipping|fulfillment service|weight unit)|weight unit for display|image alt text|option\d linked to)$/

const [sizePlace, colourPlace] = ['optionValue1', 'optionValue2'] as const satisfies Field[]

/** Our columns, and the columns from which they come. */
const sources = {
  sku: ['sku'],
  name: ['title'],
  brand: ['vendor'],
  kind: ['type', 'category'],
  price: ['price'],
  quantity: ['quantity', 'tracker'],
  description: ['description'],
  image: ['image', 'variantImage'],
  pictures: ['image'],
  gtin: ['barcode'],
  size: [sizePlace],
  colour: [colourPlace, sizePlace],
  weight: ['grams'],
  old_path: ['handle'],
} as const satisfies Record<string, Field[]>

/** Returns why a file with this first row is refused, or null. */
export function refuseShopifyHeader(header: string[]): string | null {
  const places = findPlaces(header, columns)
  const needed = [
    ['handle', 'URL handle'],
    ['title', 'Title'],
    ['price', 'Price'],
  ] as const
  const [, missing] = needed.find(([field]) => places[field] === undefined) ?? []
  return missing === undefined
    ? null
    : `The column “${missing}” is missing, so this is not a product file of Shopify. Export it there under Products, as a CSV file.`
}

/** More than the variants or pictures of any product there. The rows of one product are in memory. */
const maxRowsOfProduct = 5000

/** Converts the rows of a product file of Shopify. The rows of a product are adjacent, and the first one describes it. */
export function openShopifyConverter(header: string[], { notes }: { notes: Notes }): Converter {
  const places = findPlaces(header, columns)
  const read = (source: SourceRow, field: Field) => readCell(source, places[field])
  const noteColumns = createColumnNotes(
    header,
    { used: new Set(Object.values(places)), notImported, ignored },
    notes,
  )
  /** The export for spreadsheets puts an apostrophe before numbers, so that they stay text. */
  const readCode = (source: SourceRow, field: 'sku' | 'barcode') =>
    read(source, field).replace(/^'(?=[\p{L}\d])/u, '')
  const readOptions = (source: SourceRow, part: 'Name' | 'Value') =>
    ([1, 2, 3] as const).map((number) => read(source, `option${part}${number}`))

  /** Rows that only have a further picture lack everything that a variant has. */
  const isVariant = (source: SourceRow) =>
    source.problem !== undefined ||
    (['optionValue1', 'price', 'sku'] as const).some((field) => read(source, field) !== '')

  function findReason(first: SourceRow): string | null {
    if (/^true$/i.test(read(first, 'giftCard'))) return 'Gift card'
    const status = read(first, 'status').toLowerCase()
    if (status !== '' && status !== 'active') return statusReasons.get(status) ?? 'Not active'
    return /^false$/i.test(read(first, 'published')) ? 'Not published in the online store' : null
  }

  function readQuantity(source: SourceRow): number | undefined {
    const quantity = read(source, 'quantity')
    const isTracked = quantity !== '' && (places.tracker === undefined || read(source, 'tracker') !== '')
    return isTracked ? toStock(quantity, source.row, notes) : undefined
  }

  function convertVariant(source: SourceRow, names: string[], image: string | undefined): SourceVariant {
    noteColumns(source)
    if (read(source, 'policy').toLowerCase() === 'continue') {
      notes.add('Products that sell without stock are only sold from stock', source.row)
    }
    const values = {
      sku: orBlank(readCode(source, 'sku')),
      gtin: toGtin(readCode(source, 'barcode'), source.row, notes),
      price: toPrice(read(source, 'price')),
      quantity: readQuantity(source),
      weight: toGrams(read(source, 'grams'), 1),
      image: toImage(read(source, 'variantImage'), source.row, notes) ?? image,
      ...toChoice(names, readOptions(source, 'Value'), source.row, notes),
    }
    return { source, values }
  }

  function convert(rows: SourceRow[]): SourceProduct[] {
    const [first] = rows
    if (!first) return []
    const reason = findReason(first)
    if (reason !== null) {
      notes.leaveOut(reason, first.row)
      return []
    }
    const images = rows
      .filter((source) => read(source, 'image') !== '')
      .toSorted((one, other) => readPosition(one) - readPosition(other))
      .flatMap((source) => toImage(read(source, 'image'), source.row, notes) ?? [])
    const [image] = images
    const all = readOptions(first, 'Name')
    const isDefault =
      all[0]?.toLowerCase() === 'title' && /^default title$/i.test(read(first, 'optionValue1'))
    const names = isDefault ? [] : all.filter((name) => name !== '')
    const variants = rows
      .filter((source) => source === first || isVariant(source))
      .map((source) => convertVariant(source, names, image))
    return [
      {
        first,
        shared: {
          name: orBlank(read(first, 'title')),
          brand: orBlank(read(first, 'vendor')),
          kind: orBlank(read(first, 'type') || (read(first, 'category').split('>').at(-1)?.trim() ?? '')),
          description: toDescription(read(first, 'description'), first.row, notes),
          pictures: toPictures(images, first.row, notes),
        },
        oldPath: normalizePath(`/products/${read(first, 'handle')}`),
        hasOptions: names.length > 0,
        variants,
      },
    ]
  }
  const readPosition = (source: SourceRow) => Number(read(source, 'position')) || Number.MAX_SAFE_INTEGER

  let open: SourceRow[] = []
  const complete = (next: SourceRow[]) => {
    const rows = open
    open = next
    return convert(rows)
  }
  return {
    theirs: () => nameColumns<Field>(header, places, sources),
    add(source) {
      const [first] = open
      if (first && read(first, 'handle') === read(source, 'handle')) {
        open.push(source)
        if (open.length > maxRowsOfProduct) {
          throw new FileRefused(
            `Row ${source.row}: more than ${maxRowsOfProduct.toLocaleString('en-US')} rows have the URL handle “${toExcerpt(read(first, 'handle'))}”. Export the products again.`,
          )
        }
        return []
      }
      return complete([source])
    },
    end: () => complete([]),
  }
}

const statusReasons = new Map([
  ['draft', 'Draft'],
  ['archived', 'Archived'],
  ['unlisted', 'Unlisted'],
])
