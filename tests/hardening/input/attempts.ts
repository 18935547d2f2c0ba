import * as fc from 'fast-check'
import { type ImportKind, importKinds } from '../../../contract/imports.ts'
import { type RouteName, routes } from '../../../contract/routes.ts'
import { type CallSchema, schemas } from '../../../contract/schemas.ts'
import { fromSchema, type Known } from './from-schema.ts'
import { shapes, strangeNames, texts, values } from './hostile-values.ts'
import { jsonText, Verbatim } from './json-text.ts'

export const callers = ['nobody', 'customer', 'admin', 'forger'] as const
export type CallerKind = (typeof callers)[number]

/** One request to a call of the contract, ready to be sent. */
export interface Attempt {
  call: RouteName
  caller: CallerKind
  /** The path with the query string. */
  path: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | undefined
}

type Fields = Record<string, unknown>
type Mutation = (fields: Fields) => unknown

const hostileValue = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(...values),
  fc.constantFrom(...shapes),
)

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(fc.nat(), hostileValue).map(
    ([at, value]) =>
      (fields: Fields) =>
        withField(fields, keyAt(fields, at), value),
  ),
  fc.nat().map((at) => (fields: Fields) => without(fields, keyAt(fields, at))),
  fc.tuple(fc.constantFrom(...strangeNames), hostileValue).map(
    ([name, value]) =>
      (fields: Fields) =>
        withField(fields, name, value),
  ),
  { weight: 1, arbitrary: hostileValue.map((value) => () => value) },
)

/** A valid PNG of one pixel, in Base64. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const header =
  '<Header><Company>A</Company><DocumentTitle>B</DocumentTitle><SubmissionType>FULL</SubmissionType></Header>'
/** A file for each kind of import, divided where a hostile text is inserted. */
const importFiles: Record<ImportKind, [before: string, after: string]> = {
  products: ['sku,name,price,quantity,minimum,description,image\nP-1,', ',1,1,1,x,/pictures/chain.svg\n'],
  bikes: ['make,model,year_from,version,aliases\nHayashi,K6,2012,', ',k6\n'],
  fitments: ['part_number,make,model,year_from,note\nP-1,Hayashi,K6,2012,', '\n'],
  'part-numbers': ['part_number,kind,maker,number\nP-1,oem,Honda,', '\n'],
  'aces-codes': ['kind,id,value\nsubmodel,1,', '\n'],
  'shopify-products': ['Title,URL handle,Price,Option1 name,Option1 value\nPads,pads,12,Size,', '\n'],
  'woocommerce-products': ['ID,Type,Regular price,Name\n1,simple,12,', '\n'],
  redirects: ['Redirect to,Redirect from\n/products,/', '\n'],
  'shopify-orders': [
    'Name,Created at,Currency,Total,Lineitem quantity,Shipping Name,Lineitem name\n#1,2026-03-01 12:00:00 +0100,USD,9,1,Robin,',
    '\n',
  ],
  aces: [
    `<ACES version="4.2">${header}<App action="A"><BaseVehicle id="1"/><Part>P-1</Part><Note>`,
    '</Note></App><Footer><RecordCount>1</RecordCount></Footer></ACES>',
  ],
}

const isImportFile = (call: RouteName) => call === 'checkImport' || call === 'previewImport'

/** A file of the kind in the query, which may be mutated. */
function toImportFile(query: unknown, text: string): Uint8Array<ArrayBuffer> {
  const kind = importKinds.find((each) => isFields(query) && each === query.kind) ?? 'products'
  const [before, after] = importFiles[kind]
  return new Uint8Array(Buffer.from(before + text + after))
}

/** Half of all parts are not mutated. */
const mutations = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Mutation[]>([]) },
  { weight: 1, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
)

/** Replaces one field by text that Postgres cannot store, or that changes how other text is displayed. */
const unstorable: fc.Arbitrary<Mutation[]> = fc
  .tuple(fc.nat(), fc.constantFrom('\0', 'a\0b', '\ud800', '\u202e', new Verbatim('"\\ud800"')))
  .map(([at, value]) => [(fields: Fields) => withField(fields, keyAt(fields, at), value)])

/** Returns `perCall` requests per call with such a text in one field of each part. */
export function unstorableAttempts(known: Known, seed: number, perCall: number): Attempt[] {
  const names = Object.keys(routes) as RouteName[]
  return names.flatMap((name) => fc.sample(attemptAt(name, known, unstorable), { numRuns: perCall, seed }))
}

/** Generates requests to all calls by all callers. */
export function anyAttempt(known: Known): fc.Arbitrary<Attempt> {
  const names = Object.keys(routes) as RouteName[]
  return fc.oneof(...names.map((name) => attemptAt(name, known)))
}

function attemptAt(
  call: RouteName,
  known: Known,
  changes: fc.Arbitrary<Mutation[]> = mutations,
): fc.Arbitrary<Attempt> {
  const schema: CallSchema = schemas[call]
  const part = (key: 'params' | 'query' | 'headers') =>
    schema[key] ? mutate(fromSchema(schema[key], known), changes) : fc.constant({})
  return fc
    .record({
      caller: fc.constantFrom(...callers),
      params: part('params'),
      query: part('query'),
      headers: part('headers'),
      body: toBody(call, schema, known, changes),
    })
    .map(({ caller, params, query, headers, body }) => ({
      call,
      caller,
      path: toPath(call, params, query),
      headers: { ...readHeaders(headers), ...(body.type && { 'content-type': body.type }) },
      body: isImportFile(call) ? toImportFile(query, String(body.text)) : body.text,
    }))
}

interface Body {
  type?: string
  text: string | Uint8Array<ArrayBuffer> | undefined
}

function toBody(
  call: RouteName,
  schema: CallSchema,
  known: Known,
  changes: fc.Arbitrary<Mutation[]>,
): fc.Arbitrary<Body> {
  if (isImportFile(call)) {
    const type = fc.constantFrom('text/csv', 'text/xml', 'application/octet-stream', 'text/html')
    const text = fc.constantFrom('"', '&a;', '<!DOCTYPE a [', ']]>', ...texts)
    return fc.record({ type, text })
  }
  if ('upload' in routes[call]) {
    const type = fc.constantFrom(
      'image/png',
      'image/jpeg',
      'image/webp',
      'application/octet-stream',
      'text/html',
    )
    const bytes = fc.uint8Array({ maxLength: 2_000 })
    const whole = fc.constant(Buffer.from(picture, 'base64'))
    return fc.record({ type, text: fc.oneof(bytes, whole).map((each) => new Uint8Array(each)) })
  }
  if (!schema.body) return fc.constant({ text: undefined })
  const json = mutate(fromSchema(schema.body, known), changes).map(jsonText)
  const text = fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: json.map(corrupt) })
  return text.map((each) => ({ type: 'application/json', text: each }))
}

/** Inserts a byte that is not valid UTF-8 at the beginning of the last text. */
function corrupt(json: string): Uint8Array<ArrayBuffer> {
  const at = json.lastIndexOf(':"') + 2
  return new Uint8Array(
    Buffer.concat([Buffer.from(json.slice(0, at)), Buffer.from([0xff]), Buffer.from(json.slice(at))]),
  )
}

function mutate(valid: fc.Arbitrary<unknown>, mutations: fc.Arbitrary<Mutation[]>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, mutations)
    .map(([value, changes]) =>
      changes.reduce<unknown>((whole, change) => (isFields(whole) ? change(whole) : whole), value),
    )
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const keyAt = (fields: Fields, at: number): string => {
  const keys = Object.keys(fields)
  return keys[at % (keys.length || 1)] ?? 'x'
}

/** Uses entries, so that `__proto__` becomes a field and does not set the prototype. */
const withField = (fields: Fields, name: string, value: unknown): Fields =>
  Object.fromEntries([...Object.entries(fields), [name, value]])

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

function asText(value: unknown): string {
  return (typeof value === 'string' ? value : jsonText(value)).toWellFormed().slice(0, 4_000)
}

function toPath(call: RouteName, params: unknown, query: unknown): string {
  const given = isFields(params) ? params : {}
  // With an empty parameter the path can match another call, such as a list.
  const path = routes[call].path.replaceAll(
    /\{(\w+)\}/g,
    (_, key: string) =>
      encodeURIComponent(asText(given[key] ?? params))
        .slice(0, 3_000)
        .replace(/%.?$/, '') || '%20',
  )
  const pairs = isFields(query) ? Object.entries(query) : [['q', query]]
  // A list becomes a repeated parameter.
  const each: string[][] = pairs.flatMap(([name, value]) =>
    (Array.isArray(value) && value.length > 0 ? value : [value]).map((one) => [asText(name), asText(one)]),
  )
  const search = new URLSearchParams(each).toString().slice(0, 4_000)
  return `/api${path}${search ? `?${search}` : ''}`
}

/** Omits headers that are not valid in HTTP; the raw attacks send such headers. */
function readHeaders(headers: unknown): Record<string, string> {
  const pairs = isFields(headers) ? Object.entries(headers) : []
  return Object.fromEntries(
    pairs
      .map(([name, value]) => [name, asText(value)] as const)
      .filter(
        ([name, value]) => /^[\w-]+$/.test(name) && name !== '__proto__' && /^[\x20-\x7e]*$/.test(value),
      ),
  )
}
