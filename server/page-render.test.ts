import { globSync, readFileSync } from 'node:fs'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { PublicSettings, ShopReads } from '../web/context.ts'
import { openProductionBuild } from './page-builds.ts'
import { unavailablePage } from './page-render.ts'

const settings: PublicSettings = {
  origin: 'http://localhost:3000',
  stripe: { publishableKey: 'pk_test_of_the_tests', script: null },
  google: 'off',
  mail: 'off',
}

test('the page for when nothing can be rendered reads nothing, needs no script, and is kept by nobody', async () => {
  const page = await unavailablePage({
    ...(await openProductionBuild()),
    shop: () => ({}) as ShopReads,
    settings,
    log: pino({ level: 'silent' }),
  })
  const html = page.body.toString()
  expect(page.status).toBe(503)
  expect(page.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' })
  expect(html).toContain('The shop cannot answer right now')
  expect(html).toMatch(/<a href=""[^>]*>Try again<\/a>/)
  expect(html).toContain('rel="stylesheet"')
  expect(html).not.toMatch(/<script|modulepreload/)
})

test('pages are rendered by React as it is for production, whatever NODE_ENV says', () => {
  const built = globSync('build/server/**/*.js').map((path) => readFileSync(path, 'utf8'))
  expect(built.length).toBeGreaterThan(0)
  for (const text of built) {
    expect(text).not.toMatch(/^import .* from "react/m)
    expect(text).not.toMatch(/react-(dom|jsx)[\w-]*\.development|process\.env\.NODE_ENV/)
  }
})
