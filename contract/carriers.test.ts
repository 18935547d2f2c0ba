import { expect, test } from 'vitest'
import { carriers, toTrackingUrl } from './carriers.ts'

test('each carrier has a name of its own, and an https page with one place for the number', () => {
  expect(new Set(carriers.map(({ name }) => name.toLowerCase())).size).toBe(carriers.length)
  for (const { trackingUrl } of carriers) {
    expect(new URL(trackingUrl).protocol).toBe('https:')
    expect(trackingUrl.split('{number}')).toHaveLength(2)
  }
})

test.each([
  ['UPS', '1Z 999 AA1 0123456784', 'https://www.ups.com/track?tracknum=1Z999AA10123456784'],
  ['royal mail', 'AB&c=1/..', 'https://www.royalmail.com/track-your-item#/tracking-results/AB%26c%3D1%2F..'],
  ['The bike courier', '7', null],
  [undefined, '7', null],
])('a parcel of %s with the number %s is tracked at %s', (carrier, number, url) => {
  expect(toTrackingUrl(carrier, number)).toBe(url)
})
