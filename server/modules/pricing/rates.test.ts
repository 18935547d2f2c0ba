import { describe, expect, test } from 'vitest'
import { isIncomplete, isIncompletePickup, toPickupDestination } from '../../../contract/places.ts'
import { chooseOption, describeDelivery, findTaxRate, listOptions, type Rate } from './rates.ts'

const aRate = (values: Partial<Rate> & Pick<Rate, 'name'>): Rate => ({
  note: '',
  places: [],
  max_grams: null,
  price_cents: 595,
  free_from_cents: null,
  pickup_place: null,
  ...values,
})
const texas = { country: 'US', region: 'TX', postalCode: '78701-1234' }
const prices = (rates: Rate[], destination = texas, grams = 0) =>
  listOptions(rates, { destination, grams }).map(({ name, price_cents }) => [name, price_cents])

describe('of the rates with one name', () => {
  test('the most specific place applies: postal code, region, country, everywhere', () => {
    const rates = [
      aRate({ name: 'Standard', price_cents: 1 }),
      aRate({ name: 'Standard', places: ['US'], price_cents: 2 }),
      aRate({ name: 'Standard', places: ['US-TX', 'US-NY'], price_cents: 3 }),
      aRate({ name: 'Standard', places: ['US 78'], price_cents: 4 }),
      aRate({ name: 'Standard', places: ['US 787'], price_cents: 5 }),
    ]
    const places = [
      texas,
      { country: 'US', region: 'TX', postalCode: '78201' },
      { country: 'US', region: 'TX', postalCode: '75001' },
      { country: 'US', region: 'CA', postalCode: '90210' },
      { country: 'DE', region: '', postalCode: '78701' },
    ]
    expect(places.map((place) => prices(rates, place)[0]?.[1])).toEqual([5, 4, 3, 2, 1])
  })

  test('the lowest sufficient weight applies', () => {
    const rates = [
      aRate({ name: 'Standard', max_grams: 5000, price_cents: 800 }),
      aRate({ name: 'Standard', max_grams: 1000, price_cents: 500 }),
      aRate({ name: 'Standard', price_cents: 2000 }),
    ]
    expect([1000, 1001, 5001].map((grams) => prices(rates, texas, grams)[0]?.[1])).toEqual([500, 800, 2000])
  })

  test('a heavier order than the most specific place allows has no such option', () => {
    const rates = [
      aRate({ name: 'Standard', places: ['US'], max_grams: 30_000 }),
      aRate({ name: 'Standard', places: ['US-HI'], max_grams: 10_000 }),
    ]
    expect(prices(rates, { country: 'US', region: 'HI', postalCode: '96701' }, 15_000)).toEqual([])
  })
})

describe('postal codes are compared without other characters, and without a country or state before them', () => {
  test.each([
    ['GB SW1A', 'sw1a 1aa', 1],
    ['GB SW1A', 'SW2 1AA', 0],
    ['JP 90', '９００−００１５', 1],
    ['JP 90', '〒900-0015', 1],
    ['BR 013', '01.310-100', 1],
    ['LV 1010', 'LV-1010', 1],
    ['LV LV1010', '1010', 1],
    ['JE JE2', 'JE2 3AB', 1],
    ['JE JE', 'JE2 3AB', 1],
    ['ES 35', 'E-35001', 1],
    ['ES 35', 'ES35001', 1],
    ['US 787', 'TX 78701', 1],
    ['US 787', 'US-TX 78701', 1],
    ['DE 78266', 'D-78266', 1],
    ['LU 2520', 'L-2520', 1],
    ['GB BT', 'bt1 5gs', 1],
    ['GB BT', 'GB-BT1 5GS', 1],
    ['GB BT', 'bt 1 5gs', 1],
    ['GB B1', 'AB1 2CD', 0],
    ['CA V5', 'BC, V5K 0A1', 1],
    ['US 787', 'TX 10787', 0],
  ])('a rate for %s and %s: %i', (place, postalCode, count) => {
    const destination = { country: place.slice(0, 2), region: '', postalCode }
    expect(prices([aRate({ name: 'Standard', places: [place] })], destination)).toHaveLength(count)
  })
})

describe('without a choice', () => {
  const pickup = aRate({ name: 'Pickup', price_cents: 0, pickup_place: 'US' })
  const express = aRate({ name: 'Express', price_cents: 2495 })
  const standard = aRate({ name: 'Standard', price_cents: 595, free_from_cents: 10_000 })
  const choose = (options: Rate[], name: string | undefined, goodsCents: number, rates = options) =>
    chooseOption(rates, options, name, goodsCents)?.name

  test('the cheapest option that is not a pickup applies', () => {
    expect(choose([pickup, express, standard], undefined, 100)).toBe('Standard')
  })

  test('a pickup applies only if the shop ships nothing', () => {
    expect(choose([pickup], undefined, 100)).toBe('Pickup')
    expect(choose([pickup], undefined, 100, [standard, pickup])).toBe(undefined)
    expect(choose([pickup], 'Pickup', 100, [standard, pickup])).toBe('Pickup')
  })

  test('free shipping counts', () => {
    const dear = aRate({ name: 'Slow', price_cents: 100 })
    expect(choose([dear, standard], undefined, 9999)).toBe('Slow')
    expect(choose([dear, standard], undefined, 10_000)).toBe('Standard')
  })

  test('an option that is not offered any more counts as no choice', () => {
    expect(choose([express, standard], 'Overnight', 100)).toBe('Standard')
    expect(choose([express, standard], 'Express', 100)).toBe('Express')
  })
})

test('a destination is incomplete if a place of its country names a region or a postal code that it lacks', () => {
  const places = ['US-NY', 'ES 35']
  expect(isIncomplete(places, { country: 'US' })).toBe(true)
  expect(isIncomplete(places, { country: 'US', region: 'CA' })).toBe(false)
  expect(isIncomplete(places, { country: 'ES', region: 'x' })).toBe(true)
  expect(isIncomplete(places, { country: 'ES', postalCode: '28001' })).toBe(false)
  expect(isIncomplete(places, { country: 'DE' })).toBe(false)
  expect(isIncomplete(['PR 009'], { country: 'US', region: 'PR' })).toBe(true)
})

test.each([
  ['US-TX', ['US'], false],
  ['US-TX', ['US-NY'], false],
  ['US-TX', ['US 787'], true],
  ['US-TX 78701', ['US 787', 'US-TX'], false],
  ['US 78701', ['US-TX'], false],
  ['US', ['US-TX'], true],
  ['DE', ['US-TX'], false],
])('the tax of a pickup in %s with rates for %s may be another one: %s', (pickup, places, expected) => {
  expect(isIncompletePickup(pickup, places)).toBe(expected)
})

test('the rate of the most specific place is the tax, and rates do not add up', () => {
  const rates = [{ place: 'US' }, { place: 'US-TX' }, { place: 'US 787' }, { place: 'DE' }]
  const find = (...destination: Parameters<typeof findTaxRate>[1][]) =>
    destination.map((each) => findTaxRate(rates, each)?.place)
  expect(
    find(texas, { ...texas, postalCode: '75001' }, { country: 'US', region: 'NY' }, { country: 'FR' }),
  ).toEqual(['US 787', 'US-TX', 'US', undefined])
  expect(find(...['US-TX 787', 'US-TX', 'US'].map(toPickupDestination))).toEqual(['US 787', 'US-TX', 'US'])
})

describe('product pages say what delivery costs', () => {
  const standard = aRate({ name: 'Standard' })
  const pickup = aRate({ name: 'Pickup', price_cents: 0, pickup_place: 'US-TX' })
  const free = aRate({ name: 'Free', price_cents: 0 })
  test.each([
    ['nothing without rates', [], ''],
    ['nothing if the shop only hands over', [pickup], ''],
    [
      'the lowest price that is not a pickup',
      [aRate({ name: 'Express', price_cents: 2495 }), standard, pickup],
      'From $5.95',
    ],
    ['free if each order can be', [standard, free], 'Free'],
    [
      'that some places are free',
      [standard, aRate({ name: 'Home', price_cents: 0, places: ['US-TX'] })],
      'Free to some places',
    ],
    [
      'the lowest amount from which it is free for each order',
      [
        aRate({ name: 'Standard', free_from_cents: 10_000 }),
        aRate({ name: 'Light', max_grams: 500, free_from_cents: 5000 }),
        aRate({ name: 'Home', places: ['US-TX'], free_from_cents: 4000 }),
      ],
      'From $5.95, free from $100',
    ],
    [
      'the highest amount of one name from which it is free',
      [
        aRate({ name: 'Standard', free_from_cents: 10_000 }),
        aRate({ name: 'Standard', max_grams: 500, price_cents: 395, free_from_cents: 5000 }),
        aRate({ name: 'Standard', places: ['US'], price_cents: 0 }),
      ],
      'Free to some places, free from $100',
    ],
    [
      'that some places are free if another rate of the free name has a price',
      [free, aRate({ name: 'Free', places: ['US-HI'], price_cents: 2500 })],
      'Free to some places',
    ],
    [
      'that some places are free if a light order has a price under the free name',
      [free, aRate({ name: 'Free', max_grams: 500 })],
      'Free to some places',
    ],
    [
      'that some places are free if one of the free name only has a pickup',
      [free, aRate({ name: 'Free', places: ['US-TX'], price_cents: 0, pickup_place: 'US-TX' })],
      'Free to some places',
    ],
    [
      'no amount if a place of the name has no rate for a heavy order',
      [
        aRate({ name: 'Standard', free_from_cents: 10_000 }),
        aRate({ name: 'Standard', places: ['US-HI'], max_grams: 500, free_from_cents: 10_000 }),
      ],
      'From $5.95',
    ],
  ])('%s', (_, rates, text) => {
    expect(describeDelivery(rates)).toBe(text)
  })
})
