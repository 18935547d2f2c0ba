import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('ids are random from their first character', () => {
  const ids = Array.from({ length: 200 }, newId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/)
  // Screens show six characters, so they must differ among 200 consecutive orders.
  expect(new Set(ids.map((id) => id.slice(0, 6))).size).toBeGreaterThanOrEqual(199)
  expect(new Set(ids.map((id) => id.slice(0, 1))).size).toBeGreaterThan(10)
})
