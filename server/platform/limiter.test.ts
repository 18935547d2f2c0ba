import { expect, test } from 'vitest'
import { createKeyedLimiter, createLimiter } from './limiter.ts'

test('runs a limited number concurrently, queues the others, and rejects when the queue is full', async () => {
  const pass = createLimiter({ concurrency: 2, maxQueued: 2, onOverflow: () => new Error('full') })
  const entered: number[] = []
  const limiters = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const visits = limiters.map((limited, index) =>
    pass(() => {
      entered.push(index)
      return limited.promise
    }),
  )
  await expect(visits[4]).rejects.toThrow('full')
  expect(entered).toEqual([0, 1])

  limiters[1]?.resolve()
  await expect.poll(() => entered).toEqual([0, 1, 2])

  // A failed call also frees its slot.
  limiters[0]?.reject(new Error('broken'))
  await expect(visits[0]).rejects.toThrow('broken')
  await expect.poll(() => entered).toEqual([0, 1, 2, 3])

  limiters[2]?.resolve()
  limiters[3]?.resolve()
  await Promise.all([visits[2], visits[3]])
  expect(await pass(async () => 'in')).toBe('in')
})

test('a call that yields runs after all others, even those that came later, and is not rejected', async () => {
  const pass = createLimiter({ concurrency: 1, maxQueued: 2, onOverflow: () => new Error('full') })
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const enter = (name: string) => async () => void order.push(name)
  const calls = [
    pass(() => first.promise),
    pass(enter('yielding'), { yields: true }),
    pass(enter('second')),
    pass(enter('third')),
    pass(enter('another yielding'), { yields: true }),
  ]
  first.resolve()
  await Promise.all(calls)
  expect(order).toEqual(['second', 'third', 'yielding', 'another yielding'])
})

test('limits the calls of each key separately', async () => {
  const pass = createKeyedLimiter({ concurrency: 1, maxQueued: 1, onOverflow: () => new Error('full') })
  const { promise, resolve } = Promise.withResolvers<void>()
  const entered: string[] = []
  const enter = (key: string) =>
    pass(key, () => {
      entered.push(key)
      return promise
    })
  const calls = [enter('a'), enter('a'), enter('b')]
  await expect(enter('a')).rejects.toThrow('full')
  expect(entered).toEqual(['a', 'b'])
  resolve()
  await Promise.all(calls)
  expect(entered).toEqual(['a', 'b', 'a'])
})
