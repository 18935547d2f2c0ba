import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allowedModules, listCycles } from './module-edges.ts'

const root = join(import.meta.dirname, '..')

interface Source {
  /** Relative to the root, such as `server/app.ts`. */
  path: string
  text: string
  /** Our own files, relative to the root, and names of packages. */
  imports: string[]
}

const files = globSync('{contract,server,web,db,seed,sandboxes,scripts,bench,tests}/**/*', { cwd: root })

const sources: Source[] = files
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, imports: readImports(path, text) }
  })

function readImports(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:\bfrom\s|\bimport)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  )
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier,
  )
}

const isTest = ({ path }: Source) => /\.(test|spec)\.tsx?$/.test(path) || path.startsWith('tests/')
const isOurs = (imported: string) =>
  /^(contract|server|web|db|seed|sandboxes|tests|scripts|bench)\//.test(imported)

/** Lists `file -> import` for every import of the shop's own code that breaks a rule. */
function findViolations(from: RegExp, isAllowed: (imported: string, from: Source) => boolean): string[] {
  return sources
    .filter((source) => from.test(source.path) && !isTest(source))
    .flatMap((source) =>
      source.imports
        .filter((imported) => !isAllowed(imported, source))
        .map((imported) => `${source.path} -> ${imported}`),
    )
}

/** Matches the folder that the rules use for a file: `web/ui`, `server/platform`, `contract`, or `web`. */
const folderPattern = /^((?:web|server)\/\w+(?=\/)|\w+)/
const toFolder = (path: string) => folderPattern.exec(path)?.[1] ?? path

/** Folders that each folder may import, besides itself. A new folder needs a line. */
const allowedFolders: Record<string, readonly string[]> = {
  contract: [],
  db: ['contract'],
  'server/platform': ['contract', 'db'],
  'server/config': ['contract', 'server/platform', 'server/modules'],
  'server/modules': ['contract', 'db', 'server/platform', 'server/http'],
  'server/http': ['contract', 'db', 'server/platform'],
  'server/pages': ['contract', 'db', 'server/platform', 'server/modules', 'server/http', 'web'],
  'server/commands': ['db', 'seed', 'server', 'server/platform', 'server/config', 'server/modules'],
  // The entry point and the composition.
  server: [
    'contract',
    'db',
    'seed',
    'sandboxes',
    'web',
    'server/platform',
    'server/config',
    'server/modules',
    'server/http',
    'server/pages',
  ],
  sandboxes: ['contract', 'db', 'server/platform', 'server/modules'],
  seed: ['contract', 'db', 'server/platform', 'server/config', 'server/modules'],
  'web/router': ['contract', 'web'],
  'web/ui': ['web/router'],
  'web/seo': ['contract', 'web', 'web/router'],
  'web/loaders': ['contract', 'web', 'web/features'],
  'web/errors': ['contract', 'web', 'web/router', 'web/ui'],
  'web/features': ['contract', 'web', 'web/router', 'web/ui'],
  'web/layouts': ['contract', 'web', 'web/router', 'web/ui', 'web/features'],
  'web/pages': ['contract', 'web', 'web/router', 'web/ui', 'web/features', 'web/layouts', 'web/loaders'],
  // Entry files, the document, calls and texts. The browser's entry starts the session before the page is hydrated.
  web: [
    'contract',
    'web/router',
    'web/ui',
    'web/seo',
    'web/loaders',
    'web/errors',
    'web/layouts',
    'web/features',
  ],
}

/** The parts of the engine for files that the kinds in `files/` are made of. */
const engine = /^server\/modules\/imports\/(file-kind|queries|read-file)\.ts$/

/** Features that each feature may import. A new edge is one line with its reason. */
const allowedFeatures: Record<string, string> = {
  'fit -> garage': 'an answer is for the current bike, and asks for one if there is none',
  'cart -> fit': 'a line says whether its product fits, and adding one asks if it does not',
  'cart -> garage': 'the bike of a line is chosen from the garage',
  'catalog -> fit': 'cards have the mark, and the filter by fit has its words',
  'charges -> orders': 'a preview has the rows of an order',
  'content -> identity':
    'text that is not saved when the session ends stays for the next login of the same user',
  'desk -> orders': 'a found order opens its details, and a customer has notes like an order',
  'goods -> catalog': 'a product without a bar code is found in the catalog',
  'staff -> identity': 'the permissions belong to the signed-in user',
  'audit -> staff': 'a change names the role of who made it',
  'orders -> staff': 'actions are shown to staff who may take them',
  'returns -> orders': 'a return belongs to an order, and a change of one can change the other',
  'fitment -> fit': 'a list of fitments has the words of an answer and the notice of the demo',
}

const modulePath = /^server\/modules\/(\w+)\//
const toModule = (path: string) => modulePath.exec(path)?.[1]
const toFeature = (path: string) => /^web\/features\/(\w+)\//.exec(path)?.[1]

test('finds the sources and their imports', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.find(({ path }) => path === 'server/main.ts')?.imports).toContain('server/config/config.ts')
})

describe('imports', () => {
  test('a folder imports only the folders that the table allows', () => {
    const folders = new Set(sources.filter((source) => !isTest(source)).map(({ path }) => toFolder(path)))
    for (const own of ['scripts', 'bench']) folders.delete(own)
    expect([...folders].filter((folder) => !(folder in allowedFolders))).toEqual([])
    expect(
      findViolations(/^(contract|server|web|db|seed|sandboxes)\//, (to, { path }) => {
        const [from, target] = [toFolder(path), toFolder(to)]
        return !isOurs(to) || from === target || (allowedFolders[from]?.includes(target) ?? false)
      }),
    ).toEqual([])
  })

  test('the contract imports zod and nothing else', () => {
    expect(findViolations(/^contract\//, (to) => to === 'zod/mini' || to.startsWith('contract/'))).toEqual([])
  })

  test('the server imports two files of the browser: the page context and the server entry', () => {
    const allowed = ['web/page-context.ts', 'web/entry.server.tsx']
    expect(findViolations(/^server\//, (to) => !to.startsWith('web/') || allowed.includes(to))).toEqual([])
  })

  test('the platform imports only the error codes with their texts, the permissions, and the table types', () => {
    const allowed = /^(server\/platform\/|db\/schema\.ts|contract\/(errors|permissions|waiting-time)\.ts)/
    expect(findViolations(/^server\/platform\//, (to) => !isOurs(to) || allowed.test(to))).toEqual([])
  })

  test('only the composition and the commands import sandboxes and seed data', () => {
    expect(
      findViolations(
        /^(server|web|contract|db)\//,
        (to, { path }) =>
          !/^(sandboxes|seed)\//.test(to) || /^server\/(compose[\w-]*\.ts|commands\/)/.test(path),
      ),
    ).toEqual([])
  })

  test('a module calls another one only along an allowed edge, through its service, and rules through its rules', () => {
    expect(
      findViolations(modulePath, (to, { path }) => {
        const [from, target] = [toModule(path), toModule(to)]
        if (target === undefined || target === from) return true
        const entry = path.endsWith('/rules.ts') ? '/rules.ts' : '/service.ts'
        const isOpen = to.endsWith(entry) || (engine.test(to) && path.includes('/files/'))
        return isOpen && `${from} -> ${target}` in allowedModules
      }),
    ).toEqual([])
  })

  test.each([
    ['modules', allowedModules],
    ['features', allowedFeatures],
  ])('the allowed edges between %s form no cycle', (_, allowed) => {
    expect(listCycles(Object.keys(allowed))).toEqual([])
  })

  test('inside a module: routes, service, then rules and repository; nothing imports routes', () => {
    expect(
      findViolations(/^server\/modules\/\w+\/repository\.ts$/, (to) => !/\/(service|routes)\.ts$/.test(to)),
    ).toEqual([])
    expect(
      findViolations(/^server\/modules\/\w+\/rules\.ts$/, (to) => /^contract\/|\/rules\.ts$/.test(to)),
    ).toEqual([])
    expect(findViolations(modulePath, (to) => !to.endsWith('/routes.ts'))).toEqual([])
  })

  test('only search.ts of the search folder is imported from outside', () => {
    const search = /^server\/modules\/catalog\/search\//
    expect(
      findViolations(
        /^(server|seed|sandboxes)\//,
        (to, { path }) => !search.test(to) || search.test(path) || to.endsWith('/search/search.ts'),
      ),
    ).toEqual([])
  })

  test('a feature imports another one only along an allowed edge', () => {
    expect(
      findViolations(/^web\/features\//, (to, { path }) => {
        const [from, target] = [toFeature(path), toFeature(to)]
        return target === undefined || target === from || `${from} -> ${target}` in allowedFeatures
      }),
    ).toEqual([])
  })

  test('the shop does not import its tests', () => {
    expect(
      findViolations(/^(contract|server|web|db|seed|sandboxes|scripts)\//, (to) => !to.startsWith('tests/')),
    ).toEqual([])
  })
})

describe('one place for each thing', () => {
  const containing = (pattern: RegExp, among = /^(contract|server|web|db|seed|sandboxes)\//) =>
    sources
      .filter((source) => among.test(source.path) && !isTest(source) && pattern.test(source.text))
      .map(({ path }) => path)

  test('only entry files read the environment, and pass it to server/config', () => {
    // programs.ts starts Postgres, which inherits the environment.
    const allowed = /^server\/(main\.ts|commands\/[\w-]+\.ts|platform\/embedded-postgres\/programs\.ts)$/
    expect(containing(/process\.env\b/).filter((path) => !allowed.test(path))).toEqual([])
  })

  test('public reads use isSold: only reads of admins, of files and of history name deleted_at', () => {
    const allowed = [
      'server/modules/audit/queries.ts',
      'server/modules/catalog/all-products/',
      'server/modules/catalog/files/',
      'server/modules/catalog/fit-kinds/repository.ts',
      'server/modules/catalog/part-numbers/',
      // A copied picture: a hidden product shows it too.
      'server/modules/catalog/pictures/repository.ts',
      // Goods in and stocktake: a hidden product has stock.
      'server/modules/catalog/receipts/',
      'server/modules/catalog/repository.ts',
      'server/modules/catalog/search/all-products.ts',
      // The page of a deleted product differs from one that never existed.
      'server/modules/catalog/service.ts',
      'server/modules/catalog/sold.ts',
      'server/modules/fitment/files/',
      // An admin saves the fitments of a hidden product.
      'server/modules/fitment/queries.ts',
      // Scans of a packer: a hidden product may be in a parcel.
      'server/modules/orders/scan/queries.ts',
      // A hidden product keeps its pictures.
      'server/modules/pictures/queries.ts',
    ]
    const found = containing(/\bdeleted_at\b/).filter((path) => path.startsWith('server/'))
    expect(found.filter((path) => !allowed.some((start) => path.startsWith(start)))).toEqual([])
  })

  test('SQL is in repositories, queries, files, the search, the platform, the sandboxes and seed', () => {
    const isSql = /\bsql(?:<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
    const allowed =
      /\/(repository|queries|sold)\.ts$|^server\/modules\/\w+\/files\/|^server\/modules\/catalog\/search\/|^server\/platform\/|^sandboxes\/|^seed\//
    expect(containing(isSql).filter((path) => !allowed.test(path))).toEqual([])
  })

  test('queries name their columns, because a newer version may add some while this one runs', () => {
    const isUnnamed = /\.(selectAll|returningAll)\(|\breturning \*`/
    expect(containing(isUnnamed, /^(server|sandboxes)\//)).toEqual([])
  })

  test('no statement leaves state in its session, because a pooler gives the session to other clients', () => {
    const state = [
      /\bpg_(?:try_)?advisory_(?!xact)\w*lock/,
      /[`;]\s*set (?!local\b)|\bset_config\([^)]*\bfalse\)/,
      /\bcreate (?:local |global )?temp(?:orary)? /,
      /[`'"]\s*(?:un)?listen |\bpg_notify\b/,
      /\bdeclare [^`]*\bcursor\b|\bpg-cursor\b/,
      /[`;]\s*(?:prepare|discard|load) /,
    ]
    const isState = new RegExp(state.map(({ source }) => source).join('|'), 'i')
    // The embedded Postgres has no pooler. Concurrent indexes are created, and generated catalogs are vacuumed, with the
    // direct address.
    const direct = [
      'server/platform/embedded-postgres/locks.ts',
      'server/platform/database/migrations.ts',
      'seed/fill-catalog.ts',
    ]
    const found = containing(isState).filter((path) => !direct.includes(path))
    const files = globSync('db/migrations/*.sql', { cwd: root })
    expect([
      ...found,
      ...files.filter((path) => isState.test(readFileSync(join(root, path), 'utf8'))),
    ]).toEqual([])
    expect(containing(isState)).not.toEqual([])
  })

  test('the browser calls the server in web/api.ts, page data, the identity provider and the map', () => {
    const allowed = [
      'web/api.ts',
      'web/pages/contact-us.tsx',
      'web/features/identity/provider.ts',
      'web/router/open-page.ts',
      'web/router/reachable.ts',
      'web/errors/hydration-watchdog.ts',
    ]
    expect(containing(/\bfetch\(/, /^web\//).filter((path) => !allowed.includes(path))).toEqual([])
  })

  test('browser tests open other browsers with openOther, which checks their consoles', () => {
    const specs = sources.filter(({ path }) => /^tests\/browser\/.*\.spec\.ts$/.test(path))
    expect(specs.length).toBeGreaterThan(0)
    const opensContext = /\bnewContext\(|\bbrowser\.newPage\(/
    expect(specs.filter(({ text }) => opensContext.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('each maximum width by name is a token of the stylesheet, because others have no effect', () => {
    const tokens = readFileSync(join(root, 'web/app.css'), 'utf8').match(/(?<=--container-)\w+(?=:)/g) ?? []
    expect(tokens).toContain('wide')
    const isKnown = new RegExp(`max-w-(${tokens.join('|')}|full|none|\\d+)$`)
    const names = sources.flatMap(({ path, text }) =>
      path.startsWith('web/') ? (text.match(/\bmax-w-\w+/g) ?? []).map((name) => `${path}: ${name}`) : [],
    )
    expect(names.filter((name) => !isKnown.test(name))).toEqual([])
  })

  test('the server folder holds only the entry point and the composition', () => {
    const loose = files.filter((path) => /^server\/[^/]+\.ts$/.test(path) && !path.endsWith('.test.ts'))
    expect(loose.filter((path) => !/\/(main|serve|app|compose[\w-]*|open-database)\.ts$/.test(path))).toEqual(
      [],
    )
  })

  test('no folder or file is called utils, helpers, lib, common or misc', () => {
    expect(files.filter((path) => /(^|\/)(utils?|helpers?|lib|common|misc)(\/|\.|$)/.test(path))).toEqual([])
  })
})
