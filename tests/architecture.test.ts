import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

interface Source {
  /** From the root, as in `server/app.ts`. */
  path: string
  text: string
  /** Files of ours, from the root, and names of packages. */
  imports: string[]
}

const files = globSync('{contract,server,web,db,scripts,tests}/**/*', { cwd: root })

const sources: Source[] = files
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, imports: importsOf(path, text) }
  })

function importsOf(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  )
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier,
  )
}

const isTest = ({ path }: Source) => /\.(test|spec)\.tsx?$/.test(path) || path.startsWith('tests/')

/** Lists `file -> import` for every import of the shop's own code that breaks a rule. */
function breaches(from: RegExp, isAllowed: (imported: string, from: Source) => boolean): string[] {
  return sources
    .filter((source) => from.test(source.path) && !isTest(source))
    .flatMap((source) =>
      source.imports
        .filter((imported) => !isAllowed(imported, source))
        .map((imported) => `${source.path} -> ${imported}`),
    )
}

const moduleOf = (path: string) => /^server\/modules\/(\w+)\//.exec(path)?.[1]
const featureOf = (path: string) => /^web\/features\/(\w+)\//.exec(path)?.[1]
const isOurs = (imported: string) => /^(contract|server|web|db|tests|scripts)\//.test(imported)

test('the test sees the code: it finds files, and what they import', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.find(({ path }) => path === 'server/main.ts')?.imports).toContain('server/config/config.ts')
})

describe('imports point one way', () => {
  test('the contract imports zod and nothing else, because browser and server both stand on it', () => {
    expect(breaches(/^contract\//, (to) => to === 'zod/mini' || to.startsWith('contract/'))).toEqual([])
  })

  test('the browser never imports the server: what it needs of it is in the contract', () => {
    expect(breaches(/^web\//, (to) => !/^(server|db|tests)\//.test(to))).toEqual([])
  })

  test('the server never imports a screen: only the shape of what the pages read', () => {
    expect(
      breaches(
        /^server\//,
        (to) => !to.startsWith('web/') || ['web/page-context.ts', 'web/entry.server.tsx'].includes(to),
      ),
    ).toEqual([])
  })

  test('the platform knows no shop word, so that it could carry another shop', () => {
    const allowed = /^(server\/platform\/|db\/schema\.ts|contract\/errors\.ts)/
    expect(breaches(/^server\/platform\//, (to) => !isOurs(to) || allowed.test(to))).toEqual([])
  })

  test('a module is entered through its service alone, so that its insides can change', () => {
    const isDoor = (to: string) => to.endsWith('/service.ts')
    expect(
      breaches(/^server\/modules\//, (to, from) => {
        const module = moduleOf(to)
        return module === undefined || module === moduleOf(from.path) || isDoor(to)
      }),
    ).toEqual([])
  })

  test('product search is entered through search.ts alone', () => {
    const room = 'server/modules/catalog/search/'
    const isInside = (to: string) => to.startsWith(room) && to !== `${room}search.ts`
    expect(breaches(/^(server|db|web)\//, (to, from) => !isInside(to) || from.path.startsWith(room))).toEqual(
      [],
    )
  })

  test('modules do not import in a cycle: mail, then identity and catalog, then customers, then orders, then payments and audit', () => {
    const levels = [
      'mail',
      'identity',
      'pictures',
      'catalog',
      'discovery',
      'imports',
      'customers',
      'reviews',
      'orders',
      'payments',
      'audit',
    ]
    const level = (path: string) => levels.indexOf(moduleOf(path) ?? '')
    expect(breaches(/^server\/modules\//, (to, from) => level(to) <= level(from.path))).toEqual([])
    expect(new Set(sources.map(({ path }) => moduleOf(path)).filter(Boolean))).toEqual(new Set(levels))
  })

  test('inside a module: routes, service, then rules and repository; nobody imports routes', () => {
    const inside = /^server\/modules\/\w+\//
    const mayUse = (to: string) => !inside.test(to) || /\/(gateway|queries)\.ts$/.test(to)
    expect(breaches(/^server\/modules\/\w+\/repository\.ts$/, mayUse)).toEqual([])
    expect(breaches(/^server\/modules\/\w+\/rules\.ts$/, (to) => to.startsWith('contract/'))).toEqual([])
    expect(breaches(inside, (to) => !to.endsWith('/routes.ts'))).toEqual([])
  })

  test('a feature never imports another: pages put them together', () => {
    expect(
      breaches(
        /^web\/features\//,
        (to, from) => featureOf(to) === undefined || featureOf(to) === featureOf(from.path),
      ),
    ).toEqual([])
    expect(breaches(/^web\/features\//, (to) => !to.startsWith('web/pages/'))).toEqual([])
  })

  test('the kit of controls knows no shop word and makes no call', () => {
    expect(breaches(/^web\/ui\//, (to) => !isOurs(to) || /^web\/(ui|router)\//.test(to))).toEqual([])
  })

  test('the shop never imports its tests', () => {
    expect(breaches(/^(contract|server|web|db|scripts)\//, (to) => !to.startsWith('tests/'))).toEqual([])
  })
})

describe('one place for each thing', () => {
  const naming = (pattern: RegExp, among = /^(contract|server|web|db)\//) =>
    sources
      .filter((source) => among.test(source.path) && !isTest(source) && pattern.test(source.text))
      .map(({ path }) => path)

  test('the environment is read in server/config/config.ts, which the entry points hand it to', () => {
    const entryPoints = ['main', 'make-admin', 'backup', 'restore', 'seed'].map((name) => `server/${name}.ts`)
    // A program that we start inherits it whole.
    const starters = ['server/platform/embedded-postgres/program.ts']
    expect(naming(/process\.env\b/).toSorted()).toEqual([...entryPoints, ...starters].toSorted())
  })

  test('SQL lives in repositories and queries, beside the platform and the sandbox that keeps its own books', () => {
    const isSql = /\bsql(?:<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
    const allowed =
      /\/(repository|queries)\.ts$|^server\/modules\/catalog\/search\/|^server\/platform\/|^server\/modules\/payments\/sandbox\/|^db\/seed\/(seed|fill)\.ts$/
    expect(naming(isSql).filter((path) => !allowed.test(path))).toEqual([])
  })

  test("the browser makes its calls in web/api.ts; five other files ask for a page's data, the shop's readiness, the identity provider and the map's host", () => {
    expect(naming(/\bfetch\(/, /^web\//).toSorted()).toEqual([
      'web/api.ts',
      'web/features/identity/provider.ts',
      'web/router/open-page.ts',
      'web/router/reachable.ts',
      'web/features/contact/shop-map.tsx',
      'web/errors/hydration-watchdog.ts',
    ])
  })

  test('there is no drawer for everything', () => {
    expect(files.filter((path) => /(^|\/)(utils?|helpers?|lib|common|misc)(\/|\.|$)/.test(path))).toEqual([])
  })
})
