import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'
import { allowedModules, listCycles } from './module-edges.ts'

/** The tables that each module writes, in its code or by triggers of its own tables. */
const owners = {
  addresses: 'addresses',
  archive: 'past_orders past_order_import_rows',
  audit: 'audit_changes changes',
  bikes: 'makes models bikes bike_aliases bike_changes bike_import_rows',
  cart: 'cart_lines',
  // The dates of `sitemap_entries` are set with the changes of a product.
  catalog: `
    products variants product_changes stock_movements product_counts product_words facet_lexemes
    part_numbers brands brand_changes size_charts certificates product_pictures synonyms kind_attributes sitemap_entries
    product_import_rows part_number_import_rows undo_import_rows`,
  content: 'documents document_versions redirects redirect_import_rows',
  customers: `
    customers customer_identities role_changes invitations profile_photos two_step_logins two_step_sign_ins`,
  fitment: `
    fitments fitment_import_rows
    aces_codes aces_brands aces_code_import_rows aces_import_rows`,
  garage: 'garage_bikes',
  identity: `
    identity.user identity.session identity.account identity.verification identity.jwks identity.email_tokens`,
  imports: 'product_imports wrong_import_rows replaced_values supplier_files',
  invoices: 'invoices',
  mail: 'mail_outbox',
  orders: 'orders order_lines order_charges order_events shipments order_documents staff_notes',
  payments: 'payments refunds refund_lines',
  pictures: 'pictures picture_files picture_downloads',
  pricing: 'shipping_rates tax_rates coupons',
  platform: 'jobs migrations secret_fingerprint identity.rate_limits',
  returns: 'returns return_lines',
  reviews: 'reviews',
  settings: 'shop_settings',
}
const tableOwners = new Map(
  Object.entries(owners).flatMap(([owner, tables]) =>
    tables
      .trim()
      .split(/\s+/)
      .map((table): [string, string] => [table, owner]),
  ),
)

/** Modules that read tables of another one without calling it. The modules that they call they may read too. */
const allowedReads: Record<string, string> = {
  'content -> customers': 'the list of versions names admins',
  'imports -> customers': 'the list of imports names admins',
  'pricing -> catalog': 'charges depend on the weight, brand and kind of the parts',
}

/** Reads against the direction of the other edges. */
const cyclicReads: Record<string, string> = {
  'audit -> catalog': 'the list of changes names products',
  'audit -> customers': 'the list of changes names actors',
  'audit -> orders': 'the list of changes names buyers',
  'bikes -> fitment':
    'a new bike is listed under the products whose fitments cover it, and a covered one is not removed',
  'catalog -> content': 'a product of another shop is found by its old address',
  'catalog -> fitment': 'a search for a make lists the parts that have fitments for its models',
  'orders -> payments': 'an order with a payment is not cancelled, and a list marks payments in progress',
  'pictures -> catalog': 'a picture of a product is not deleted',
  'pictures -> content': 'a picture of a page or a post is not deleted',
  'pictures -> customers': 'a picture of a profile is not deleted',
  'pictures -> orders': 'a picture of an ordered product is not deleted',
  'pictures -> settings': 'the logo of the shop is not deleted',
}

/** Tables that another module writes. */
const foreignWrites: Record<string, string> = {
  'modules/orders/repository.ts: variants':
    'placing or cancelling an order is one statement with its stock (decision 38)',
  'modules/orders/repository.ts: stock_movements': 'the ledger is written with the stock',
  'modules/orders/repository.ts: cart_lines':
    'the ordered lines leave the cart in the statement that places the order',
}

/** Files other than `queries.ts` and `files/` that read tables of another module. */
const readingWrites: Record<string, string> = {
  'modules/orders/repository.ts': 'placing or cancelling an order is one statement (decision 38)',
  'modules/bikes/repository.ts': 'adding and removing bikes depends on fitments, under the lock of the model',
}

const root = join(import.meta.dirname, '..')

interface Use {
  /** A module, or `platform`. */
  by: string
  /** Relative to `server/`. */
  file: string
  table: string
  isWrite: boolean
}

/** Names after which a table in SQL has no alias. */
const keywords = new Set(
  'as cross except for full group having inner intersect join left limit natural offset on order returning right select set union using values where window'.split(
    ' ',
  ),
)

const isName = (token = '') => /^[a-z_"][\w."]*$/i.test(token)

/** Reads the tables in a text of SQL, in which `$` is a parameter or a part from elsewhere. */
function readSql(text: string): Pick<Use, 'table' | 'isWrite'>[] {
  const uses: Pick<Use, 'table' | 'isWrite'>[] = []
  const tokens =
    text.replaceAll(/--.*|'[^']*'|\bif (?:not )?exists\b/g, ' ').match(/[a-z_"][\w."]*|\S/gi) ?? []
  /** Adds the table at this place, unless it is a function or a query. Returns the place after it and its alias. */
  function add(at: number, isWrite: boolean): number {
    let next = ['lateral', 'only'].includes(tokens[at] ?? '') ? at + 1 : at
    const name = tokens[next] ?? ''
    const isTable = isName(name) && !keywords.has(name) && (isWrite || tokens[next + 1] !== '(')
    if (isTable) uses.push({ table: name.replaceAll('"', ''), isWrite })
    if (name !== '(') next += 1
    next = skipParentheses(next)
    if (tokens[next] === 'as') next += 1
    if (isName(tokens[next]) && !keywords.has(tokens[next] ?? '')) next += 1
    return skipParentheses(next)
  }
  function skipParentheses(at: number): number {
    if (tokens[at] !== '(') return at
    let depth = 0
    for (let next = at; next < tokens.length; next += 1) {
      depth += tokens[next] === '(' ? 1 : tokens[next] === ')' ? -1 : 0
      if (depth === 0) return next + 1
    }
    return tokens.length
  }
  tokens.forEach((token, at) => {
    const before = tokens[at - 1]
    if (token === 'join' || token === 'table') add(at + 1, before === 'lock')
    else if (token === 'into' || token === 'truncate') add(at + 1, true)
    else if (token === 'update' && !['for', 'do', 'key'].includes(before ?? '')) add(at + 1, true)
    else if (
      token === 'using' ||
      (token === 'from' && before !== 'distinct' && tokens[at - 3] !== 'extract')
    ) {
      let next = add(at + 1, before === 'delete')
      while (tokens[next] === ',') next = add(next + 1, false)
    }
  })
  return uses
}

const kyselyReads = /^(?:selectFrom|(?:inner|left|right|full|cross)Join|from|using)$/
const kyselyWrites = /^(?:insertInto|updateTable|deleteFrom|mergeInto)$/

/** The parts of a syntax tree that are read here. */
interface Node {
  type?: string
  value?: unknown
  name?: string
  tag?: Node
  quasi?: Node
  quasis?: { value: { cooked?: string } }[]
  callee?: Node
  object?: Node
  property?: Node
  arguments?: Node[]
  elements?: Node[]
}

/** Reads the uses of tables in a file, and the names that its statements give to queries in `with`. */
function readFile(file: string): { uses: Use[]; queryNames: string[] } {
  const by = /^modules\/(\w+)\//.exec(file)?.[1] ?? file.split('/')[0] ?? ''
  const uses: Use[] = []
  const queryNames: string[] = []
  const addSql = (text: string) => {
    uses.push(...readSql(text).map((use) => ({ ...use, by, file })))
    const names = text.matchAll(/([a-z_]+)\s*(?:\([^()]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s*)?\(/g)
    queryNames.push(...[...names].map((match) => match[1] ?? ''))
  }
  function visit(node: Node, isSql = false): void {
    if (node.type === 'TemplateLiteral') {
      const text = (node.quasis ?? []).map(({ value }) => value.cooked).join(' $ ')
      if (isSql || /\bselect\b/.test(text)) addSql(text)
    }
    if (typeof node.value === 'string' && /\bselect\b.*\bfrom\b/.test(node.value)) addSql(node.value)
    if (node.type === 'CallExpression') visitCall(node)
    for (const [key, child] of Object.entries(node)) {
      for (const each of Array.isArray(child) ? child : [child]) {
        if (each !== null && typeof each === 'object')
          visit(each, key === 'quasi' && node.tag?.name === 'sql')
      }
    }
  }
  function visitCall({ callee, arguments: [first] = [] }: Node): void {
    const method = callee?.property?.name ?? ''
    const names = (first?.elements ?? [first]).flatMap((each) =>
      typeof each?.value === 'string' ? each.value : [],
    )
    if (method === 'with') queryNames.push(...names)
    const isWrite = kyselyWrites.test(method)
    // Not `Buffer.from('text')`.
    const isOther = /^[A-Z]/.test(callee?.object?.name ?? '')
    if (isOther || !(isWrite || kyselyReads.test(method))) return
    uses.push(...names.map((name) => ({ by, file, table: name.split(' ')[0] ?? '', isWrite })))
  }
  visit(parseAst(readFileSync(join(root, 'server', file), 'utf8'), { lang: 'ts' }))
  return { uses, queryNames }
}

const files = globSync('**/*.ts', { cwd: join(root, 'server'), exclude: ['**/*.test.ts'] }).map(readFile)
const queryNames = new Set(files.flatMap((file) => file.queryNames))
const uses = files
  .flatMap((file) => file.uses)
  .map((use) => ({ ...use, table: use.table.replace(/^public\./, '') }))
  .filter(({ table }) => !table.startsWith('pg_') && !(queryNames.has(table) && !tableOwners.has(table)))

const foreign = uses.filter(({ table, by }) => tableOwners.get(table) !== by)
const toEdge = ({ by, table }: Use) => `${by} -> ${tableOwners.get(table)}`
const unique = (lines: string[]) => [...new Set(lines)].toSorted()

describe('the reader of SQL', () => {
  test('finds the tables that a statement reads and writes', () => {
    const list = (text: string) =>
      readSql(text).map(({ table, isWrite }) => `${isWrite ? 'writes' : 'reads'} ${table}`)
    expect(
      list(
        `select a from b as c, lateral f(c) as d, (select from e) as g join "h"."i" using (j) left join k on l`,
      ),
    ).toEqual(['reads b', 'reads e', 'reads h.i', 'reads k'])
    expect(list('insert into a (b) select $ from c on conflict do update set d = 1 returning e')).toEqual([
      'writes a',
      'reads c',
    ])
    expect(
      list('update only a set b = 1 from c, d as e where f is distinct from g and extract(epoch from h) > 0'),
    ).toEqual(['writes a', 'reads c', 'reads d'])
    expect(list("delete from a using b, c where d = 'from e' -- from f")).toEqual([
      'writes a',
      'reads b',
      'reads c',
    ])
    expect(list('lock table a; select from b for no key update of c; truncate d')).toEqual([
      'writes a',
      'reads b',
      'writes d',
    ])
  })

  test('finds a use of nearly every table', () => {
    const found = new Set(uses.map(({ table }) => table))
    // Triggers write the changes.
    expect(
      [...tableOwners.keys()].filter((table) => !found.has(table) && !table.endsWith('_changes')),
    ).toEqual([])
  })
})

describe('every table has one owner', () => {
  test('each table of the migrations is in the list', () => {
    const statements = globSync('db/migrations/*.sql', { cwd: root })
      .toSorted()
      .flatMap(
        (file) =>
          readFileSync(join(root, file), 'utf8').match(/^(?:create|drop) (?:table|view) [\w."]+/gm) ?? [],
      )
    const tables = new Set(['migrations'])
    for (const [statement, verb, name = ''] of statements.map(
      (each) => each.replaceAll('"', '').match(/^(\w+) \w+ (.*)/) ?? [],
    )) {
      if (statement && verb === 'create') tables.add(name)
      else tables.delete(name)
    }
    const ofShop = [...tables].filter((table) => !table.startsWith('sandbox.'))
    expect(unique(ofShop)).toEqual(unique([...tableOwners.keys()]))
  })

  test('the code names no other tables', () => {
    expect(foreign.filter(({ table }) => !tableOwners.has(table))).toEqual([])
  })

  test('only the owner writes a table, except the statements that place and cancel an order', () => {
    const writes = foreign.filter(({ isWrite }) => isWrite)
    expect(unique(writes.map(({ file, table }) => `${file}: ${table}`))).toEqual(
      unique(Object.keys(foreignWrites)),
    )
  })

  test('others read it only along an allowed edge', () => {
    const edges = { ...allowedModules, ...allowedReads, ...cyclicReads }
    expect(foreign.filter((use) => !(toEdge(use) in edges))).toEqual([])
    const used = new Set(foreign.map(toEdge))
    expect(Object.keys({ ...allowedReads, ...cyclicReads }).filter((edge) => !used.has(edge))).toEqual([])
  })

  test('others read it in queries.ts or in files/', () => {
    const others = foreign.filter(({ file }) => !/\/queries\.ts$|\/files\//.test(file))
    expect(unique(others.map(({ file }) => file))).toEqual(unique(Object.keys(readingWrites)))
  })

  test('calls and reads together form no cycle, except the reads that are listed as such', () => {
    const edges = Object.keys({ ...allowedModules, ...allowedReads })
    expect(listCycles(edges)).toEqual([])
    expect(Object.keys(cyclicReads).filter((edge) => !listCycles([...edges, edge]).includes(edge))).toEqual(
      [],
    )
  })
})
