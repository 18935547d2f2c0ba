import { expect, test } from 'vitest'
import { groupIp, normalizeIp, wideNetwork } from './ip.ts'

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

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:1:2', '0:0:0:0::/64'],
])('%s counts as %s', (ip, group) => {
  expect(groupIp(ip)).toBe(group)
})

test.each([
  ['192.0.2.1', null],
  ['2001:db8:1:2::/64', '2001:db8:1:0::/56'],
  ['2001:db8:1:12fe::/64', '2001:db8:1:1200::/56'],
  ['0:0:0:0::/64', '0:0:0:0::/56'],
  ['2001:db8:1:2::/64 jane@example.com', '2001:db8:1:0::/56 jane@example.com'],
  ['jane:1::/64', null],
])('the network %s belongs to %s', (network, wide) => {
  expect(wideNetwork(network)).toBe(wide)
})
