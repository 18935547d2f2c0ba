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

  test('goes only to the countries that the shop serves', () => {
    expect(findAddressProblems({ country: 'HK', ...parts }, ['DE', 'AT'])).toEqual({
      country: 'We do not deliver to this country',
    })
    expect(findAddressProblems({ country: 'DE', region: '', postalCode: '10115' }, ['DE'])).toEqual({})
  })
})
