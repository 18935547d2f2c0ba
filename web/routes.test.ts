import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { loaders } from './loaders/loaders.ts'
import { routes } from './routes.ts'

test('each file of a page or a frame is in the table, and each name in the table is one', () => {
  const files = globSync('pages/*.tsx', { cwd: import.meta.dirname }).map((file) => path.parse(file).name)
  expect(new Set(routes.flatMap(({ parts }) => parts))).toEqual(new Set(files))
})

test('the browser asks for the data of those pages that the server has a loader for', () => {
  const loaded = routes.filter(({ loads }) => loads).map(({ parts }) => parts.at(-1) ?? '')
  expect(new Set(loaded)).toEqual(new Set(Object.keys(loaders)))
})
