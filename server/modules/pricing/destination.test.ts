import { expect, test } from 'vitest'
import { matchPlace } from '../../../contract/places.ts'
import { listRegions } from '../../../contract/regions.ts'
import { postalRanges, toDestination } from './destination.ts'

const regionOf = (country: 'US' | 'CA' | 'DE', postalCode: string, region = '') =>
  toDestination({ country, region, postalCode }).region

test.each([
  ['US', '10001', 'NY'],
  ['US', '10001-1234', 'NY'],
  ['US', 'TX 78701', 'TX'],
  ['US', '73301', 'TX'],
  ['US', '34012', 'AA'],
  ['US', '96813', 'HI'],
  ['US', '96799', 'AS'],
  ['US', '96910', 'GU'],
  ['US', '96950', 'MP'],
  ['US', '00901', 'PR'],
  ['US', '06390', 'NY'],
  ['US', '83414', 'WY'],
  ['US', '09012', 'AE'],
  ['CA', 'm5v 2t6', 'ON'],
  ['CA', 'H2X1Y4', 'QC'],
  ['CA', 'X0A 0H0', 'NU'],
  ['CA', 'X1A 2N4', 'NT'],
] as const)('the region of %s %s is %s, even if another one was chosen', (country, postalCode, region) => {
  expect(regionOf(country, postalCode, 'Oregon')).toBe(region)
})

test.each([
  ['US', '', 'Oregon', 'OR'],
  ['US', '00000', 'or', 'OR'],
  ['US', '1000', 'Oregon', 'OR'],
  ['US', '', 'Nowhere', undefined],
  ['CA', '90210', 'Ontario', 'ON'],
  ['DE', '10115', 'Berlin', 'BERLIN'],
] as const)('without a known postal code, as for %s "%s", it is the chosen region', (...row) => {
  const [country, postalCode, region, expected] = row
  expect(regionOf(country, postalCode, region)).toBe(expected)
})

test('every region that has deliveries has postal codes', () => {
  const prefixes = Array.from({ length: 1000 }, (_, prefix) => String(prefix).padStart(3, '0'))
  const codes = prefixes.flatMap((prefix) => ['00', '50', '99'].map((end) => prefix + end))
  const found = (country: 'US' | 'CA', all: string[]) =>
    new Set(all.flatMap((code) => regionOf(country, code) ?? []))
  const listed = (country: string) => new Set(listRegions(country).map(({ code }) => code))
  expect(found('US', codes)).toEqual(listed('US'))
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  const areas = letters.flatMap((first) => letters.map((last) => `${first}0${last}`))
  expect(found('CA', areas)).toEqual(listed('CA'))
})

test('no two regions have the same beginning of a postal code', () => {
  const overlaps = postalRanges.filter((one, index) =>
    postalRanges
      .slice(index + 1)
      .some(
        (other) =>
          one.country === other.country &&
          one.from.length === other.from.length &&
          one.from <= other.to &&
          other.from <= one.to,
      ),
  )
  expect(overlaps).toEqual([])
})

test('a territory of the United States is the same place as a country and as a region', () => {
  const places = ['PR', 'US-PR', 'US 009', 'PR 009', 'US', 'US-NY', 'VI', null]
  const ranks = places.map((place) =>
    matchPlace(place, toDestination({ country: 'PR', postalCode: '00901' })),
  )
  expect(ranks).toEqual([2, 2, 5, 5, 1, null, null, 0])
  const asRegion = toDestination({ country: 'US', region: 'PR', postalCode: '00901' })
  expect(places.map((place) => matchPlace(place, asRegion))).toEqual(ranks)
})
