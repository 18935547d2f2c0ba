import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

test('a port is given once, although no server listens on it yet', async () => {
  // Of 2,768 ports, some of them would be equal by chance.
  const ports = await Promise.all(Array.from({ length: 200 }, freePort))
  expect(new Set(ports).size).toBe(ports.length)
})
