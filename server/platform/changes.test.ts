import { expect, test } from 'vitest'
import { Changes } from './changes.ts'

function heard(): Changes {
  const changes = new Changes()
  changes.hear()
  return changes
}
const some = new Set(['product:1', 'products'])

test('what was told after a moment has changed since, and nothing else has', () => {
  const changes = heard()
  const before = changes.moment()
  changes.tell('product:2 stock')
  expect(changes.since(before, some)).toBe(false)
  changes.tell('availability product:1')
  expect(changes.since(before, some)).toBe(true)
  expect(changes.since(changes.moment(), some)).toBe(false)
})

test('a star is everything', () => {
  const changes = heard()
  const before = changes.moment()
  changes.tell('*')
  expect(changes.since(before, some)).toBe(true)
  expect(changes.since(changes.moment(), some)).toBe(false)
})

test('as long as nothing is heard anything may have changed, and until the end of that too', () => {
  const changes = new Changes()
  expect(changes.since(changes.moment(), some)).toBe(true)
  changes.hear()
  const before = changes.moment()
  changes.miss()
  expect(changes.since(before, some)).toBe(true)
  changes.hear()
  expect(changes.since(before, some)).toBe(true)
  expect(changes.since(changes.moment(), some)).toBe(false)
})

test('what depends on nothing never changes', () => {
  const changes = new Changes()
  changes.tell('*')
  expect(changes.since(0, new Set())).toBe(false)
})

test('remembers some thousand tags; beyond, everything has changed', () => {
  const changes = heard()
  const before = changes.moment()
  for (let id = 100; id < 20_102; id++) changes.tell(`product:${id}`)
  expect(changes.since(before, some)).toBe(true)
  expect(changes.since(changes.moment(), some)).toBe(false)
})
