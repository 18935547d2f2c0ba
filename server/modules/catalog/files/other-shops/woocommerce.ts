import { normalizePath } from '../../../../../contract/shop-paths.ts'
import { FileRefused, toExcerpt } from '../../../imports/read-file.ts'
import {
  type Converter,
  createColumnNotes,
  decodeEntities,
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
  toKey,
  toPictures,
  toPrice,
  toStock,
  type Values,
} from './conversion.ts'

/** The columns that are imported. Weight and attributes have names of their own. */
const columns = {
  id: ['id'],
  type: ['type'],
  sku: ['sku'],
  gtin: ['gtin, upc, ean, or isbn'],
  name: ['name'],
  published: ['published'],
  // British and Australian English have the second name.
  visibility: ['visibility in catalog', 'visibility in catalogue'],
  shortDescription: ['short description'],
  description: ['description'],
  saleStarts: ['date sale price starts'],
  saleEnds: ['date sale price ends'],
  inStock: ['in stock?'],
  stock: ['stock'],
  salePrice: ['sale price'],
  regularPrice: ['regular price'],
  categories: ['categories'],
  brands: ['brands'],
  images: ['images'],
  parent: ['parent'],
} as const satisfies Record<string, readonly string[]>
type Field = keyof typeof columns

const gramsPerUnit: Record<string, number> = { kg: 1000, g: 1, lbs: 453.59237, oz: 28.349523125 }

const notImported: NotImported = [
  [/^tags$/, 'Tags are not imported'],
  [/^tax (status|class)$/, 'Tax settings are not imported'],
  [/^(length|width|height) \(/, 'Dimensions are not imported'],
  [/^(upsells|cross-sells)$/, 'Upsells and cross-sells are not imported'],
  [/^meta: /, 'Meta data are not imported'],
  [/^download /, 'Downloads are not imported'],
  [/^purchase note$/, 'Purchase notes are not imported'],
  [/^shipping class$/, 'Shipping classes are not imported'],
  [/^low stock amount$/, 'Low stock amounts are not imported'],
]
const ignored =
  /^(is featured\?|backorders allowed\?|sold individually\?|allow customer reviews\?|grouped products|external url|button text|position|attribute \d+ (visible|global|default))$/

/** Our columns, and the columns from which they come. */
const sources = {
  sku: ['sku'],
  name: ['name'],
  kind: ['categories'],
  price: ['regularPrice'],
  quantity: ['stock', 'inStock'],
  description: ['description', 'shortDescription'],
  image: ['images'],
  pictures: ['images'],
  gtin: ['gtin'],
} as const satisfies Record<string, Field[]>

/** Returns why a file with this first row is refused, or null. */
export function refuseWooCommerceHeader(header: string[]): string | null {
  const { type, name } = findPlaces(header, columns)
  return type === undefined || name === undefined
    ? 'The columns “Type” and “Name” are missing. Set the language of your WordPress profile to English (United States) and export again.'
    : null
}

/** The rows of a product are not adjacent, so that the whole file is in memory. */
const maxRows = 100_000

interface Attribute {
  name: string
  values: string
}

/** Converts the rows of a product file of WooCommerce. `now`: a sale price counts while it is valid. */
export function openWooCommerceConverter(
  header: string[],
  { productPath, now, notes }: { productPath: string; now: Date; notes: Notes },
): Converter {
  const places = findPlaces(header, columns)
  const read = (source: SourceRow, field: Field) => readCell(source, places[field])
  const weightPlace = header.findIndex((name) => /^weight \((kg|g|lbs|oz)\)$/.test(toKey(name)))
  const weightUnit = gramsPerUnit[/\((\w+)\)/.exec(header[weightPlace] ?? '')?.[1]?.toLowerCase() ?? ''] ?? 1
  const attributes = findAttributes(header)
  const noteColumns = createColumnNotes(
    header,
    {
      used: new Set([...Object.values(places), weightPlace, ...attributes.flat()]),
      notImported,
      ignored,
    },
    notes,
  )
  const rows: SourceRow[] = []

  const readTypes = (source: SourceRow) =>
    read(source, 'type')
      .toLowerCase()
      .split(',')
      .map((type) => type.trim())

  /** The cells of a row with a problem say nothing. It is an error. */
  const isSimple = (source: SourceRow) => source.problem !== undefined || readTypes(source).includes('simple')

  const readAttributes = (source: SourceRow): Attribute[] =>
    attributes.flatMap(([namePlace, valuePlace]) => {
      const name = decodeEntities(readCell(source, namePlace))
      return name === '' ? [] : [{ name, values: readCell(source, valuePlace) }]
    })
  const isBrand = ({ name }: Pick<Attribute, 'name'>) => toKey(name) === 'brand'

  function readBrand(source: SourceRow): string {
    const brands = read(source, 'brands') || readAttributes(source).find(isBrand)?.values
    return splitList(brands ?? '')[0]?.at(-1) ?? ''
  }

  function readPrice(source: SourceRow): string {
    const sale = read(source, 'salePrice')
    if (sale === '' || !isOnSale(source)) return read(source, 'regularPrice')
    notes.add('The sale price is imported as the price', source.row)
    return sale
  }

  /** The last day of a sale counts completely. */
  function isOnSale(source: SourceRow): boolean {
    const [starts, ends] = [read(source, 'saleStarts'), read(source, 'saleEnds')]
    const isDay = /^\d{4}-\d\d-\d\d$/.test(ends)
    return (
      !(starts !== '' && Date.parse(starts) > now.getTime()) &&
      !(ends !== '' && Date.parse(isDay ? `${ends}T24:00:00Z` : ends) <= now.getTime())
    )
  }

  const isParent = (stock: string) => stock.toLowerCase() === 'parent'

  function readQuantity(source: SourceRow): number | undefined {
    const stock = read(source, 'stock')
    if (stock !== '' && !isParent(stock)) return toStock(stock, source.row, notes)
    return /^(?:0|backorder)$/i.test(read(source, 'inStock')) ? 0 : undefined
  }

  /** If a product counts one stock for its variations, theirs is blank, or `parent` in some versions. */
  const isStockOfParent = (source: SourceRow, parent: SourceRow) => {
    const stock = read(source, 'stock')
    return isParent(stock) || (stock === '' && read(parent, 'stock') !== '')
  }

  const readImages = (source: SourceRow): string[] =>
    splitImages(read(source, 'images')).flatMap((url) => toImage(url, source.row, notes) ?? [])

  function readValues(source: SourceRow, parent: SourceRow): Values {
    noteColumns(source)
    const [image] = readImages(source)
    const weight = readCell(source, weightPlace) || readCell(parent, weightPlace)
    return {
      sku: orBlank(read(source, 'sku')),
      gtin: toGtin(read(source, 'gtin'), source.row, notes),
      price: toPrice(readPrice(source)),
      quantity: readQuantity(source),
      weight: toGrams(weight, weightUnit),
      image: image ?? readImages(parent)[0],
    }
  }

  function readShared(source: SourceRow): Values {
    const [category = []] = splitList(read(source, 'categories'))
    const texts = [read(source, 'shortDescription'), read(source, 'description')].filter(Boolean)
    return {
      name: orBlank(decodeEntities(read(source, 'name'))),
      brand: orBlank(readBrand(source)),
      kind: category.at(-1),
      description: toDescription(
        texts.map((text) => text.replaceAll(String.raw`\n`, '\n')).join('\n\n'),
        source.row,
        notes,
      ),
      pictures: toPictures(readImages(source), source.row, notes),
    }
  }

  function convertVariation(source: SourceRow, parent: SourceRow, names: string[]): SourceVariant {
    const own = readAttributes(source)
    const options = names.map((name) =>
      decodeEntities(unescapeCommas(own.find((each) => each.name === name)?.values ?? '')),
    )
    const any = own.find((each) => each.values === '')
    const message = `This variation is for any ${toExcerpt(any?.name ?? '')}. Add one variation for each value`
    const values: Values = { ...readValues(source, parent), ...toChoice(names, options, source.row, notes) }
    const sharesStock = values.quantity === undefined && isStockOfParent(source, parent)
    if (sharesStock) notes.add('Shared stock: enter it per size. New sizes get 0', source.row)
    return {
      source,
      values,
      ...(sharesStock && { sharesStock }),
      ...(any && { errors: [{ column: 'Attribute values', message }] }),
    }
  }

  function* convertAll(): Generator<SourceProduct> {
    const isVariation = (source: SourceRow) => !isSimple(source) && readTypes(source).includes('variation')
    const slugs = toSlugs(rows.filter((source) => !isVariation(source) && read(source, 'published') !== '-1'))
    const parents = new Map<string, SourceRow>()
    for (const source of rows) {
      if (!readTypes(source).includes('variable')) continue
      for (const key of [read(source, 'sku'), `id:${read(source, 'id')}`]) {
        if (key !== '' && !parents.has(key)) parents.set(key, source)
      }
    }
    const variations = Map.groupBy(rows.filter(isVariation), (source) => parents.get(read(source, 'parent')))
    for (const source of rows) {
      if (isVariation(source)) continue
      const reason = findReason(source, variations.get(source))
      const oldPath = normalizePath(`${productPath.replace(/\/+$/, '')}/${slugs.get(source) ?? ''}`)
      if (reason !== null) notes.leaveOut(reason, source.row)
      else if (isSimple(source)) {
        const variants = [{ source, values: readValues(source, source) }]
        noteAttributes(source)
        yield { first: source, shared: readShared(source), oldPath, hasOptions: false, variants }
      } else {
        const sold = (variations.get(source) ?? []).filter(isSold)
        const names = [...new Set(sold.flatMap((each) => readAttributes(each).map(({ name }) => name)))]
        const variants = sold.map((each) => convertVariation(each, source, names))
        noteColumns(source)
        yield { first: source, shared: readShared(source), oldPath, hasOptions: true, variants }
      }
    }
    for (const source of (variations.get(undefined) ?? []).filter(isSold)) {
      const parent = toExcerpt(read(source, 'parent'))
      const message = parent ? `The file has no variable product “${parent}”` : 'Parent is required'
      const variants = [{ source, values: {}, errors: [{ column: 'Parent', message }] }]
      yield { first: source, shared: {}, oldPath: '', hasOptions: true, variants, isLost: true }
    }
  }

  /** Notes the attributes of a product without options. */
  function noteAttributes(source: SourceRow): void {
    for (const each of readAttributes(source)) {
      if (!isBrand(each)) notes.add(`The attribute “${toExcerpt(each.name)}” is not imported`, source.row)
    }
  }

  const isPublished = (source: SourceRow) => ['', '1'].includes(read(source, 'published'))

  function findReason(source: SourceRow, variations: SourceRow[] = []): string | null {
    const types = readTypes(source)
    const refused = types.find((type) => refusedTypes.has(type))
    if (refused !== undefined) return refusedTypes.get(refused) ?? null
    if (!isSimple(source) && !types.includes('variable')) {
      return `Product of the type “${toExcerpt(read(source, 'type'))}”`
    }
    if (!isPublished(source)) return 'Not published'
    if (read(source, 'visibility').toLowerCase() === 'hidden') return 'Hidden in the catalog'
    if (!types.includes('variable')) return null
    if (variations.length === 0) return 'Variable product without variations'
    return variations.some(isAvailable) ? null : 'Variable product without published variations'
  }

  const isAvailable = (source: SourceRow) =>
    isPublished(source) && !readTypes(source).some((type) => refusedTypes.has(type))
  function isSold(source: SourceRow): boolean {
    if (isAvailable(source)) return true
    notes.leaveOut(
      isPublished(source) ? 'Virtual or downloadable variation' : 'Variation that is not published',
      source.row,
    )
    return false
  }

  /** Derives the names in addresses. A repeated one gets a number, in the order of the ids. */
  function toSlugs(products: SourceRow[]): Map<SourceRow, string> {
    const used = new Set<string>()
    // The last number of each name, because a file can have one name for all its products.
    const numbers = new Map<string, number>()
    const byId = products.toSorted((one, other) => Number(read(one, 'id')) - Number(read(other, 'id')))
    return new Map(
      byId.map((source) => {
        const slug = toWordPressSlug(decodeEntities(read(source, 'name')))
        let own = slug
        while (used.has(own)) {
          const number = (numbers.get(slug) ?? 1) + 1
          numbers.set(slug, number)
          own = `${slug}-${number}`
        }
        used.add(own)
        return [source, own]
      }),
    )
  }

  /** An attribute is the brand only if a row names it so. Otherwise the stored brands stay. */
  let brandPlace = places.brands
  return {
    theirs: () =>
      nameColumns<Field>(header, places, sources, {
        brand: [brandPlace],
        weight: [weightPlace === -1 ? undefined : weightPlace],
        size: [attributes[0]?.[1]],
        colour: [attributes[1]?.[1] ?? attributes[0]?.[1]],
        old_path: [places.name],
      }),
    add(source) {
      rows.push(source)
      brandPlace ??= attributes.find(([namePlace]) => isBrand({ name: readCell(source, namePlace) }))?.[0]
      if (rows.length > maxRows) {
        throw new FileRefused(
          'A file of WooCommerce can have 100,000 rows. Export some categories at a time.',
        )
      }
      return []
    },
    end: convertAll,
  }
}

const refusedTypes = new Map([
  ['grouped', 'Grouped product'],
  ['external', 'External product'],
  ['virtual', 'Virtual product'],
  ['downloadable', 'Downloadable product'],
])

/** Returns the places of the name and the values of each attribute. */
function findAttributes(header: string[]): [number, number][] {
  const keys = header.map(toKey)
  return keys.flatMap((key, place): [number, number][] => {
    const [, number] = /^attribute (\d+) name$/.exec(key) ?? []
    const values = number === undefined ? -1 : keys.indexOf(`attribute ${number} value(s)`)
    return values === -1 ? [] : [[place, values]]
  })
}

/** A comma in a value of a list is written `\,`, even if the list has one value only. */
const unescapeCommas = (text: string): string => text.replaceAll(String.raw`\,`, ',')

/** Splits a list of paths such as `Brakes > Pads, Sale`. */
function splitList(text: string): string[][] {
  const paths = text.split(/(?<!\\),/).map((path) =>
    unescapeCommas(path)
      .split('>')
      .map((name) => decodeEntities(name).trim())
      .filter((name) => name !== ''),
  )
  return paths.filter((path) => path.length > 0)
}

/** A URL can have a comma, which older versions do not escape. */
const splitImages = (text: string): string[] =>
  text
    .split(/(?<!\\),\s*(?=https?:\/\/)/i)
    .map((url) => unescapeCommas(url).trim())
    .filter((url) => url !== '')

const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  '×': 'x',
}

/** Tags and entities in names are found in quadratic time. */
const maxNameLength = 1000

/** Returns the name of a product in its address, by the rule of WordPress (`sanitize_title`). */
export const toWordPressSlug = (name: string): string =>
  name
    .slice(0, maxNameLength)
    .replaceAll(/<[^>]*>/g, '')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþ×]/g, (letter) => letters[letter] ?? '')
    .replaceAll(/&.+?;/g, '')
    .replaceAll(/[\s\u00a0\u2013\u2014/.]+/g, '-')
    .replaceAll(/[^\p{L}\p{M}\p{N}_-]/gu, '')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 200)
