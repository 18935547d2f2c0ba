import { describe, expect, test } from 'vitest'
import { maxGarageBikes } from '../../../contract/limits.ts'
import { aBike, aCustomer, untilDecided } from '../../../tests/factories.ts'
import { whileRemoved } from '../../../tests/removed-bike.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

/** Adds bikes of several years; returns their ids. */
async function someBikes(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index++) ids.push(await aBike(shop, { year: 2000 + index }))
  return ids
}

const put = (bikeId: number, current?: boolean, as = rider) =>
  shop.call('setGarageBike', { as, params: { bikeId }, body: { current } })
const replace = (replaces: number, bikeId: number) =>
  shop.call('setGarageBike', { as: rider, params: { bikeId }, body: { current: true, replaces } })
const remove = (bikeId: number) => shop.call('removeGarageBike', { as: rider, params: { bikeId } })
const merge = (bikes: number[], current: number | null = null) =>
  shop.call('mergeGarage', { as: rider, body: { bikes, current } })
/** The ids of the bikes, and the current one. */
async function read(as = rider) {
  const { body } = await shop.call('getGarage', { as })
  return { bikes: body.bikes.map(({ id }) => id), current: body.current }
}

describe('PUT /v1/me/garage/{bikeId}', () => {
  test('refuses a bike that is removed at the same time', async () => {
    const bike = await aBike(shop)
    expect(await whileRemoved(shop, bike, () => put(bike))).toMatchObject(refused('BIKE_NOT_FOUND'))
  })

  test('skips a bike of a browser that is removed at the same time', async () => {
    const [bike = 0, removed = 0] = await someBikes(2)
    const response = await whileRemoved(shop, removed, () => merge([bike, removed], removed))
    expect(response).toMatchObject({ status: 200, body: { current: null, notAdded: [] } })
    expect(await read()).toEqual({ bikes: [bike], current: null })
  })

  test('adds a bike, makes it the current one, and switches it off', async () => {
    const [first = 0, second = 0] = await someBikes(2)
    const { status, body } = await put(first, true)
    expect(status).toBe(200)
    expect(body).toEqual({
      bikes: [{ id: first, make: 'hayashi', model: 'k6', year: 2000, version: '', name: '2000 Hayashi K6' }],
      current: first,
    })
    await put(second)
    expect(await read()).toEqual({ bikes: [first, second], current: first })
    await put(second, true)
    expect(await read()).toEqual({ bikes: [first, second], current: second })
    await put(first, false)
    expect(await read()).toEqual({ bikes: [first, second], current: second })
    for (let times = 0; times < 2; times++) await put(second, false)
    expect(await read()).toEqual({ bikes: [first, second], current: null })
    expect(await read(await aCustomer(shop))).toEqual({ bikes: [], current: null })
  })

  test('does not add a bike that it switches off, because another device has removed it', async () => {
    const [other = 0, ...ten] = await someBikes(maxGarageBikes + 1)
    await merge(ten, ten[0])
    for (const missing of [other, 0, 2_147_483_648]) {
      expect(await put(missing, false)).toMatchObject({ status: 200, body: { current: ten[0] } })
    }
    await remove(ten[0] ?? 0)
    await put(ten[0] ?? 0, false)
    expect(await read()).toEqual({ bikes: ten.slice(1), current: null })
  })

  test('refuses unknown bikes and the eleventh one, and still changes one of the others', async () => {
    for (const unknown of [0, -1, 2_147_483_648]) {
      expect(await put(unknown)).toMatchObject(refused('BIKE_NOT_FOUND'))
    }
    const [eleventh = 0, ...ten] = await someBikes(maxGarageBikes + 1)
    await merge(ten)
    expect(await put(eleventh, true)).toMatchObject(refused('GARAGE_FULL'))
    expect((await put(ten[3] ?? 0, true)).body.current).toBe(ten[3])
    await remove(ten[3] ?? 0)
    expect(await put(eleventh, true)).toMatchObject({ status: 200, body: { current: eleventh } })
  })

  test('replaces a bike by the eleventh one, and none if the new one is unknown, owned, or replaces a bike of no one', async () => {
    const [eleventh = 0, ...ten] = await someBikes(maxGarageBikes + 1)
    const [first = 0, second = 0, ...others] = ten
    await merge(ten, first)
    expect(await replace(first, 0)).toMatchObject(refused('BIKE_NOT_FOUND'))
    expect(await replace(eleventh, eleventh)).toMatchObject(refused('GARAGE_FULL'))
    expect((await replace(first, second)).body.bikes).toHaveLength(maxGarageBikes)
    expect(await read()).toEqual({
      bikes: [first, second, ...others].toSorted((a, b) => a - b),
      current: second,
    })
    expect((await replace(first, eleventh)).status).toBe(200)
    expect(await read()).toEqual({ bikes: [second, ...others, eleventh], current: eleventh })
  })

  test('holds at most ten bikes and one current bike when many are added at the same time', async () => {
    const bikes = await someBikes(15)
    const responses = await Promise.all(bikes.map((bike) => untilDecided(() => put(bike, true))))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(maxGarageBikes)
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(5)
    const garage = await read()
    expect(garage.bikes).toHaveLength(maxGarageBikes)
    expect(garage.bikes).toContain(garage.current)
  })
})

describe('DELETE /v1/me/garage/{bikeId}', () => {
  test('removes a bike, even the current one, and may be repeated', async () => {
    const [first = 0, second = 0] = await someBikes(2)
    await merge([first, second], first)
    for (let times = 0; times < 2; times++) {
      expect((await remove(first)).body).toMatchObject({ bikes: [{ id: second }], current: null })
    }
    expect((await remove(0)).status).toBe(200)
    expect(await read()).toEqual({ bikes: [second], current: null })
  })
})

describe('POST /v1/me/garage/merge', () => {
  test('adds two bikes of a guest to nine: ten stay, one is named, and a second merge changes nothing', async () => {
    const bikes = await someBikes(11)
    const [guest, ownBikes] = [bikes.slice(0, 2), bikes.slice(2)]
    for (const bike of ownBikes) await put(bike)
    await put(ownBikes[0] ?? 0, true)
    const { status, body } = await merge(guest, guest[1])
    expect(status).toBe(200)
    expect(body.notAdded).toMatchObject([{ id: guest[0], name: '2000 Hayashi K6' }])
    expect(await read()).toEqual({ bikes: [...ownBikes, guest[1]], current: guest[1] })
    expect((await merge(guest, guest[1])).body).toEqual(body)
    expect(await read()).toEqual({ bikes: [...ownBikes, guest[1]], current: guest[1] })
  })

  test('makes a bike of both the current one, and leaves it as it was if the guest has none', async () => {
    const [first = 0, second = 0] = await someBikes(2)
    await put(first, true)
    await merge([second])
    expect(await read()).toEqual({ bikes: [first, second], current: first })
    await merge([second], second)
    expect((await read()).current).toBe(second)
  })

  test("leaves the current bike as it was if the garage has no room for the guest's bike", async () => {
    const [guest = 0, ...ten] = await someBikes(11)
    await merge(ten, ten[0])
    expect((await merge([guest], guest)).body).toMatchObject({ current: ten[0], notAdded: [{ id: guest }] })
  })

  test('skips unknown and repeated bikes, and a current bike that is not in the list', async () => {
    const [first = 0, second = 0] = await someBikes(2)
    const { body } = await merge([first, 999_999, -5, first], second)
    expect(body).toMatchObject({ bikes: [{ id: first }], current: null, notAdded: [] })
  })

  test('refuses more bikes than a garage holds, and ids that are not numbers', async () => {
    for (const bikes of [Array.from({ length: 11 }, (_, id) => id), ['1'], [1e12], [1.5]]) {
      expect(await merge(bikes as number[])).toMatchObject(refused('INVALID_REQUEST'))
    }
  })

  test('of several tabs at the same time adds each bike once', async () => {
    const bikes = await someBikes(6)
    const tabs = await Promise.all(
      Array.from({ length: 8 }, (_, tab) =>
        tab % 2 ? merge(bikes, bikes[0]) : merge(bikes.toReversed(), bikes[0]),
      ),
    )
    expect(tabs.map(({ status }) => status)).toEqual(tabs.map(() => 200))
    const { bikes: merged, current } = await read()
    expect(merged).toHaveLength(bikes.length)
    expect(new Set(merged)).toEqual(new Set(bikes))
    expect(current).toBe(bikes[0])
  })
})
