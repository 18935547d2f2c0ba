import { expect, test } from 'vitest'
import { convertMeasure, explainSizes, findSizes, formatRange, parseRange } from './size-chart.ts'

const jackets = {
  unit: 'cm' as const,
  rows: [
    { size: 'S', values: [[88, 92], null] as ([number, number] | null)[] },
    {
      size: 'M',
      values: [
        [93, 97],
        [80, 84],
      ] as [number, number][],
    },
    {
      size: 'L',
      values: [
        [98, 102],
        [84, 88],
      ] as [number, number][],
    },
  ],
}
const explain = (column: number, measure: number) => {
  const found = findSizes(jackets, column, measure)
  return found && explainSizes(`Chest ${measure} cm`, found)
}

test.each([
  [88, 'Chest 88 cm → S'],
  [92, 'Chest 92 cm → S'],
  [102, 'Chest 102 cm → L'],
  [92.5, 'Chest 92.5 cm is between S and M. Try both sizes.'],
  [87.9, 'Chest 87.9 cm is smaller than the smallest size, S.'],
  [102.1, 'Chest 102.1 cm is larger than the largest size, L.'],
])('a measure of %d has an answer, even between and outside the sizes', (measure, text) => {
  expect(explain(0, measure)).toBe(text)
})

test('a measure in the ranges of two sizes names both', () => {
  expect(explain(1, 84)).toBe('Chest 84 cm → M or L')
})

test('sizes without a range do not count, and a column without ranges has no answer', () => {
  expect(explain(1, 79)).toBe('Chest 79 cm is smaller than the smallest size, M.')
  expect(findSizes({ unit: 'cm', rows: [{ size: 'S', values: [null] }] }, 0, 90)).toBeNull()
})

test('the order of the rows does not matter, and one range may contain another', () => {
  const rows = [
    { size: 'Long', values: [[100, 110]] as [number, number][] },
    { size: 'Wide', values: [[90, 120]] as [number, number][] },
    { size: 'XXL', values: [[130, 130]] as [number, number][] },
  ]
  expect(findSizes({ unit: 'cm', rows }, 0, 105)).toEqual({ place: 'fits', sizes: ['Wide', 'Long'] })
  expect(findSizes({ unit: 'cm', rows }, 0, 125)).toEqual({ place: 'between', sizes: ['Wide', 'XXL'] })
})

test('measures are converted to one decimal', () => {
  expect(convertMeasure(102, 'cm', 'in')).toBe(40.2)
  expect(convertMeasure(40, 'in', 'cm')).toBe(101.6)
  expect(convertMeasure(57, 'cm', 'cm')).toBe(57)
  expect(formatRange([96, 100], 'cm', 'in')).toBe('37.8–39.4')
  expect(formatRange([57, 57], 'cm', 'cm')).toBe('57')
  expect(formatRange(null, 'cm', 'in')).toBe('–')
})

test.each([
  ['96–100', [96, 100]],
  [' 96,5 - 100.5 ', [96.5, 100.5]],
  ['55 to 56', [55, 56]],
  ['57', [57, 57]],
  ['', null],
  ['–', null],
  ['M', undefined],
  ['1000', undefined],
  ['96–', undefined],
])('%j is read as a range', (text, range) => {
  expect(parseRange(text)).toEqual(range)
})
