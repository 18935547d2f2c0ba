import { describe, expect, test } from 'vitest'
import { countryCodes, describeParts, findAddressProblems } from './address-rules.ts'

const parts = { region: '', postalCode: '' }

describe('the parts of an address', () => {
  test.each([
    ['US', true, true, true],
    ['DE', true, true, false],
    ['IE', true, false, false],
    ['HK', false, false, false],
  ])('%s: has a postal code %s, needs it %s, needs a region %s', (country, has, needs, region) => {
    expect(describeParts(country)).toEqual({
      hasPostalCode: has,
      needsPostalCode: needs,
      needsRegion: region,
    })
  })

  test('are not needed and missing in one country', () => {
    const wrong = countryCodes.filter((code) => {
      const { hasPostalCode, needsPostalCode } = describeParts(code)
      return needsPostalCode && !hasPostalCode
    })
    expect(wrong).toEqual([])
  })
})

describe('an order', () => {
  test('needs the parts that its country needs', () => {
    expect(findAddressProblems({ country: 'US', ...parts }, null)).toEqual({
      region: 'State or region is required',
      postalCode: 'Postal code is required',
    })
    expect(findAddressProblems({ country: 'DE', region: '', postalCode: '10115' }, null)).toEqual({})
    expect(findAddressProblems({ country: 'HK', ...parts }, null)).toEqual({})
  })

  test.each([
    ['ВТ1 5GS', 'Cyrillic'],
    ['٣٥٠٠١', 'Arabic'],
    ['E❸5001', 'circled'],
  ])('is refused with the postal code %s: %s', (postalCode) => {
    expect(findAddressProblems({ country: 'ES', region: 'x', postalCode }, null)).toEqual({
      postalCode: 'Enter the postal code in plain letters and digits',
    })
  })

  test.each(['bt1 5gs', '〒９００−００１５', 'LV-1010', '01.310-100'])(
    'can have the postal code %s',
    (postalCode) => {
      expect(findAddressProblems({ country: 'ES', region: 'x', postalCode }, null)).toEqual({})
    },
  )

  test.each([
    ['US', '1OOO1'],
    ['US', '1000'],
    ['US', 'NYC'],
    ['US', '97201 10001'],
    ['US', '-'],
    ['PR', 'OO901'],
  ])('to %s is refused with the ZIP code %s', (country, postalCode) => {
    expect(findAddressProblems({ country, region: 'OR', postalCode }, null)).toEqual({
      postalCode: 'Use five digits, such as 97201',
    })
  })

  test.each(['MSV 2T6', 'M5V 2TO', 'M5V', '10001', 'D5V 2T6', 'M5V 2T6 T2P 1A1'])(
    'to Canada is refused with the postal code %s',
    (postalCode) => {
      expect(findAddressProblems({ country: 'CA', region: 'AB', postalCode }, null)).toEqual({
        postalCode: 'Use a code such as M5V 2T6',
      })
    },
  )

  test.each([
    ['US', '97201-1234'],
    ['US', '972011234'],
    ['US', ' 97201'],
    ['US', '９７２０１'],
    ['US', 'OR 97201'],
    ['PR', '00901'],
    ['CA', 'm5v2t6'],
    ['CA', 'ON, M5V-2T6'],
  ])('to %s can have the postal code %s', (country, postalCode) => {
    expect(findAddressProblems({ country, region: 'x', postalCode }, null)).toEqual({})
  })

  test('goes only to the countries that the shop serves', () => {
    expect(findAddressProblems({ country: 'HK', ...parts }, ['DE', 'AT'])).toEqual({
      country: 'We do not deliver to this country',
    })
    expect(findAddressProblems({ country: 'DE', region: '', postalCode: '10115' }, ['DE'])).toEqual({})
  })
})
