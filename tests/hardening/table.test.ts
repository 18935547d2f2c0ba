import { expect, test } from 'vitest'
import { toTable, withTable } from './table.ts'

const page = `# Hardening

<!-- figures: written by npm run harden -->

<!-- end of figures -->

The end.
`
const oversell = { name: 'oversell', figures: [{ what: 'orders placed', measured: '382' }], violations: [] }
const crash = {
  name: 'crash',
  figures: [{ what: 'longest response', measured: '1.2 s', bound: '20 s' }],
  violations: ['an order is lost'],
}
const names = ['oversell', 'crash']

test('the table is aligned and counts the broken rules', () => {
  const lines = toTable([oversell, crash]).split('\n')
  expect(lines.map((line) => line.trimEnd())).toEqual([
    'check    | what             | measured | bound',
    'oversell | orders placed    | 382      |',
    'oversell | rules broken     | 0        | 0',
    'crash    | longest response | 1.2 s    | 20 s',
    'crash    | rules broken     | 1        | 0',
  ])
})

test('the page keeps the figures of checks that did not run, and drops the figures of deleted checks', () => {
  const gone = { ...crash, name: 'gone' }
  const first = withTable(page, [crash, gone], ['crash', 'gone'], 'Yesterday.')
  const second = withTable(first, [oversell], names, 'Today.')
  expect(second).toBe(withTable(page, [oversell, crash], names, 'Today.'))
  expect(second).toContain('\n\nToday.\n\n| check    | what ')
  expect(second).toMatch(/^# Hardening\n[^]*\nThe end\.\n$/)
})

test('a page without the markers is an error', () => {
  expect(() => withTable('# Hardening\n', [oversell], names, 'Today.')).toThrow('has no markers')
})
