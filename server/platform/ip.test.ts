import { expect, test } from 'vitest'
import { normalizeIp } from './ip.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', null],
  ["'; drop table orders", null],
  ['', null],
  [undefined, null],
])('%s is normalized to %s', (text, ip) => {
  expect(normalizeIp(text)).toBe(ip)
})
