import { describe, expect, test } from 'vitest'
import { describeFilterValue, describeValue, readRange, toRangeText } from './attribute-values.ts'

const infinite = Number.POSITIVE_INFINITY

describe('readRange', () => {
  test.each([
    ['140..150', { from: 140, to: 150 }],
    ['0.5..0.75', { from: 0.5, to: 0.75 }],
    ['-10..-5.125', { from: -10, to: -5.125 }],
    ['140..', { from: 140, to: infinite }],
    ['..150', { from: -infinite, to: 150 }],
    ['150', { from: 150, to: 150 }],
  ])('reads %s, and writes it again', (text, range) => {
    expect(readRange(text)).toEqual(range)
    expect(toRangeText(range)).toBe(text)
  })

  test.each([
    '',
    '..',
    '150..140',
    '1..2..3',
    '1...2',
    'a',
    '1a',
    '1,5',
    '1e3',
    '1.2345',
    '1234567',
    'NaN..1',
    ' 1',
  ])('rejects %j', (text) => expect(readRange(text)).toBeNull())
})

test.each([
  ['number', 'mm', '140..150', '140–150 mm'],
  ['number', 'lm', '1400..1800', '1,400–1,800 lm'],
  ['number', undefined, '140..', 'from 140'],
  ['number', 'mm', '..150', 'up to 150 mm'],
  ['number', 'in', '5.75', '5.75 in'],
  ['choice', undefined, '3/4-16 UNF', '3/4-16 UNF'],
  ['choice', 'V', '12', '12 V'],
] as const)('a value of the filter by a %s in %s, %s, reads %s', (type, unit, value, text) => {
  expect(describeFilterValue({ type, unit }, value)).toBe(text)
})

test('a value has its unit', () => {
  expect(describeValue(4.5, 'mm')).toBe('4.5 mm')
  expect(describeValue('Floating')).toBe('Floating')
})
