import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

test('a port that nobody listens on yet is not given away again', async () => {
  // Of 2,768 ports, some of them would be equal by chance.
  const ports = await Promise.all(Array.from({ length: 200 }, freePort))
  expect(new Set(ports).size).toBe(ports.length)
})
