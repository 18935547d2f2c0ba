import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('ids are random from their first character: neighbours do not begin alike', () => {
  const ids = Array.from({ length: 200 }, newId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/)
  // A person sees six characters: of 200 orders in a row no two are likely to share them.
  expect(new Set(ids.map((id) => id.slice(0, 6))).size).toBeGreaterThanOrEqual(199)
  expect(new Set(ids.map((id) => id.slice(0, 1))).size).toBeGreaterThan(10)
})
