import { expect, onTestFinished, test } from 'vitest'
import { ProductQuery } from '../../../contract/catalog.ts'
import { productParameters } from '../../../contract/product-filters.ts'
import { toggleFitLink, toggleLink } from './list-choice.ts'
import { listLink } from './list-links.ts'
import { listCanonical, listNote, listSearch, listTitle, readListQuery, readRangeForm } from './list-query.ts'

const read = (search: string) => readListQuery(new URL(`http://shop.invalid/products${search}`))

test('the list reads every parameter of the call except the page size', () => {
  expect(new Set([...productParameters, 'pageSize'])).toEqual(new Set(Object.keys(ProductQuery.shape)))
})

test('invalid parameters of a URL are ignored', () => {
  expect(read('?q=%20brake%20&kind=Brake+pads&price=25-50&inStock=true&sort=-price&page=3&other=1')).toEqual({
    q: 'brake',
    kind: ['Brake pads'],
    price: ['25-50'],
    inStock: ['true'],
    sort: '-price',
    page: 3,
  })
  expect(read('?q=&kind=%20&price=7&inStock=1&sort=up&category=Mars&page=0')).toEqual({})
  expect(read(`?q=${'x'.repeat(600)}`).q).toHaveLength(500)
})

test('several values of a facet can be selected, but only one of the stock', () => {
  expect(
    read('?kind=Oils&kind=Chains&kind=Oils&category=Mars&category=Local&inStock=true&inStock=x'),
  ).toEqual({
    kind: ['Chains', 'Oils'],
    category: ['Local'],
    inStock: ['true'],
  })
  const many = Array.from({ length: 30 }, (_, number) => ['kind', String(number)])
  expect(read(`?${new URLSearchParams(many)}`).kind).toHaveLength(20)
})

test('a value is added to the URL and removed from it', () => {
  expect(toggleLink('kind=Oils&sort=price', 'kind', 'Chains')).toBe(
    '/products?sort=price&kind=Chains&kind=Oils',
  )
  expect(toggleLink('kind=Chains&kind=Oils', 'kind', 'Chains')).toBe('/products?kind=Oils')
  expect(toggleLink('inStock=true', 'inStock', 'true')).toBe('/products')
})

test('a fit is added to the URL and removed from it, and without a choice the parts that fit are listed', () => {
  expect(read('?bike=7&fit=some&fit=fits&fit=perhaps')).toEqual({ bike: 7, fit: ['fits', 'some'] })
  expect(read('?bike=seven')).toEqual({ bike: 0 })
  expect(toggleFitLink('bike=7', ['fits'], 'some')).toBe('/products?bike=7&fit=fits&fit=some')
  expect(toggleFitLink('bike=7&fit=fits&fit=some', ['fits', 'some'], 'fits')).toBe(
    '/products?bike=7&fit=some',
  )
  expect(toggleFitLink('bike=7&fit=fits&fit=some', ['fits', 'some'], 'some')).toBe('/products?bike=7')
  expect(toggleFitLink('bike=7', ['fits'], 'fits')).toBe('/products?bike=7')
})

test('the parsed query becomes a URL again, without the page', () => {
  const { page: _, ...query } = read('?page=3&brand=%C3%96l+%26+Co&brand=B&q=a%3Db')
  expect(read(`?${listSearch(query)}`)).toEqual(query)
})

const list = '?kind=Chains&bike=7&attribute=Length%3A140&attribute=Pitch%3A520&sort=price&page=2'
const readForm = (form: string) => readRangeForm(new URL(`http://shop.invalid/products${list}${form}`))
const number = 'Enter a number, such as 140 or 12.5'

test.each([
  ['&range=Length&from=140&to=150', ['Length:140..150', 'Pitch:520']],
  ['&range=Length&from=+-0.5+&to=', ['Length:-0.5..', 'Pitch:520']],
  ['&range=Length&to=007', ['Length:..7', 'Pitch:520']],
  ['&range=Width&from=12&to=12.0', ['Length:140', 'Pitch:520', 'Width:12']],
  ['&range=Width&from=12,5&to=+150,25+', ['Length:140', 'Pitch:520', 'Width:12.5..150.25']],
  ['&range=Length&from=&to=', ['Pitch:520']],
])('the form %s is the list with the attributes %j', (form, attribute) => {
  const read = readForm(form)
  const { searchParams } = new URL(read && 'path' in read ? read.path : '', 'http://shop.invalid')
  expect(searchParams.getAll('attribute')).toEqual(attribute)
  searchParams.delete('attribute')
  expect(`${searchParams}`).toBe('bike=7&kind=Chains&sort=price')
})

test.each([
  ['&range=Length&from=wide&to=150', 'from', number],
  ['&range=Length&from=140&to=1..2', 'to', number],
  ['&range=Length&from=1,400', 'from', number],
  ['&range=Length&from=1e3', 'from', number],
  ['&range=Length&from=1234567', 'from', number],
  ['&range=Length&from=150&to=140', 'to', 'Enter at least 150'],
])('the form %s is refused at its field "%s": %s', (form, end, message) => {
  expect(readForm(form)).toMatchObject({ name: 'Length', error: { end, message } })
})

test('a URL without the form has no range, and a form without a list leads to the whole list', () => {
  expect(readForm('')).toBeNull()
  expect(readRangeForm(new URL('http://shop.invalid/products?range=x'))).toEqual({ path: '/products?' })
})

test('a list without parameters has no question mark, in Safari 16 either', () => {
  const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, 'size')
  Reflect.deleteProperty(URLSearchParams.prototype, 'size')
  onTestFinished(() => void Object.defineProperty(URLSearchParams.prototype, 'size', size ?? {}))
  expect(listLink('kind=Oils', { kind: '' })).toBe('/products')
  expect(listLink('kind=Oils', { brand: 'Dravic' })).toBe('/products?kind=Oils&brand=Dravic')
})

test('a link changes its parameter and starts at the first page', () => {
  expect(listLink('kind=Oils&sort=price', { brand: 'Dravic' })).toBe(
    '/products?kind=Oils&sort=price&brand=Dravic',
  )
  expect(listLink('kind=Oils', { kind: '' })).toBe('/products')
})

test.each([
  ['', 'Products'],
  ['?page=2', 'Products, page 2'],
  ['?kind=Oils', 'Oils'],
  ['?kind=Oils&brand=Stagholt', 'Stagholt, Oils'],
  ['?kind=Oils&kind=Chains&brand=Stagholt', 'Stagholt, Chains or Oils'],
  ['?kind=Jackets&certificate=EN+17092+AA&certificate=EN+17092+AAA', 'Jackets, EN 17092 AA or EN 17092 AAA'],
  ['?category=Local&q=oil', '“oil” in Origin Local'],
])('the list at %j has the title %s', (search, title) => {
  expect(listTitle(read(search))).toBe(title)
})

test.each([
  [{}, '/products'],
  [{ page: 1 }, '/products'],
  [{ page: 2 }, '/products?page=2'],
  [{ kind: ['Brake pads'] }, '/products?kind=Brake+pads'],
  [{ page: 3, brand: ['Größe & Co'] }, '/products?brand=Gr%C3%B6%C3%9Fe+%26+Co&page=3'],
  [{ category: ['Local'] }, '/products?category=Local'],
])('the list of %j has a canonical URL', (query, path) => {
  expect(listCanonical(query, 100)).toBe(path)
})

test.each([
  { q: 'chain' },
  { certificate: ['EN 17092 AA'] },
  { sort: 'price' as const },
  { kind: ['Chains'], brand: ['Dravic'] },
  { kind: ['Chains'], sort: '-price' as const },
  { kind: ['Chains'], q: 'x' },
  { kind: ['Chains', 'Oils'] },
  { pageSize: 100 },
])('the list of %j has no canonical URL, because other lists show its products', (query) => {
  expect(listCanonical(query, 100)).toBeNull()
})

test('a page without products has no canonical URL', () => {
  expect(listCanonical({ kind: ['Nonsense'] }, 0)).toBeNull()
})

test.each([
  [{ total: 1 }, '1 result for “clutch plates r6”'],
  [{ total: 1, searchedFor: 'plates' }, 'No results for “clutch plates”. Showing 1 result for “plates”.'],
  [{ total: 8, searchedFor: '' }, 'No results for “clutch plates”. Showing 8 parts for the bike.'],
  [
    { total: 8, searchedFor: '', unknown: ['clutch'] },
    "We don't know “clutch”. Showing 8 parts for the bike; compare the part number.",
  ],
])('a list says how its words were read: %o', (list, note) => {
  const words = {
    q: 'clutch plates r6',
    typed: 'clutch plates',
    hasModels: false,
    hasMisfits: false,
    isFitKnown: false,
  }
  expect(listNote({ products: [], reachableTotal: 8, estimated: false, ...list }, words)).toBe(note)
})

test('a list with only parts that do not fit has a note of its own', () => {
  const list = { products: [], total: 0, reachableTotal: 0, estimated: false }
  const words = { q: 'pads', typed: 'pads', hasModels: false, isFitKnown: false }
  expect(listNote(list, { ...words, hasMisfits: true })).toBe('No fitting parts for “pads”')
  expect(listNote(list, { ...words, hasMisfits: false })).toBe('No results for “pads”')
})

test('a list asks to compare the part number only if the fit is not known, or a word may be a number', () => {
  const list = { products: [], total: 4, reachableTotal: 4, estimated: false, searchedFor: 'gloves' }
  const words = { q: 'ladies gloves', typed: 'ladies gloves', hasModels: false, hasMisfits: false }
  const note = (unknown: string, isFitKnown: boolean) =>
    listNote({ ...list, unknown: [unknown] }, { ...words, isFitKnown })
  expect(note('ladies', true)).toBe("We don't know “ladies”. Showing 4 results for “gloves”.")
  expect(note('ladies', false)).toContain('; compare the part number.')
  expect(note('15400-pl2', true)).toContain('; compare the part number.')
})

test('a list quotes no phrase that the rider did not type', () => {
  const list = { products: [], total: 1, reachableTotal: 1, estimated: false, searchedFor: 'plates' }
  const words = { hasModels: false, hasMisfits: false, isFitKnown: true }
  expect(listNote(list, { ...words, q: 'clutch r6 plates', typed: 'clutch plates' })).toBe(
    'No results for “clutch r6 plates”. Showing 1 result for “plates”.',
  )
})
