import { describe, expect, test } from 'vitest'
import { maxAddresses } from '../../../contract/limits.ts'
import { aCustomer, anAddress, someAddress, untilDecided } from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

const add = (body: object, as = rider) => shop.call('addAddress', { as, body: { ...someAddress, ...body } })
const list = async (as = rider) => (await shop.call('listAddresses', { as })).body
/** Labels of the saved addresses; the default has a star. */
const labels = async () =>
  (await list()).map(({ label = '', isDefault }) => (isDefault ? `${label}*` : label))
/** Saves addresses with these labels; returns their ids. */
async function saved(...names: string[]): Promise<string[]> {
  for (const label of names) await anAddress(shop, rider, { ...someAddress, label, line1: `1 ${label} Road` })
  return (await list()).map(({ id }) => id)
}

describe('POST /v1/me/addresses', () => {
  test('saves an address and returns all of them, without blank parts', async () => {
    const first = await add({ label: 'Home', phone: '', line2: ' ' })
    const home = { ...someAddress, id: expect.any(String), label: 'Home', isDefault: true }
    expect(first).toMatchObject({ status: 200, body: [home] })
    expect(Object.keys(first.body[0] ?? {})).not.toContain('phone')
    const { body } = await add({ line1: '2 Road', line2: 'Flat 2', phone: '555' })
    const other = { line1: '2 Road', line2: 'Flat 2', phone: '555', isDefault: false }
    expect(body).toMatchObject([home, { ...someAddress, ...other }])
    expect(await list()).toEqual(body)
  })

  test('names the invalid fields', async () => {
    const response = await add({ line1: ' ', country: 'XX' })
    const fields = { line1: 'Address is required', country: 'Select a country' }
    expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', fields } })
    expect(await list()).toEqual([])
  })

  test('makes the first address the default, and a later one only on request', async () => {
    await add({ label: 'one', isDefault: false })
    await add({ label: 'two', line1: '2 Road' })
    expect(await labels()).toEqual(['one*', 'two'])
    await add({ label: 'three', line1: '3 Road', isDefault: true })
    expect(await labels()).toEqual(['one', 'two', 'three*'])
  })

  test('does not save the same address twice, but updates its label and default', async () => {
    await saved('one')
    await add({ label: 'two' })
    await add({})
    expect(await labels()).toEqual(['one*', 'two'])
    await add({ label: 'three', isDefault: true })
    expect(await labels()).toEqual(['one', 'three*'])
  })

  test('refuses the address after the twentieth, and still updates one of them', async () => {
    const names = Array.from({ length: maxAddresses }, (_, index) => `${index}`)
    const [id = ''] = await saved(...names)
    expect(await add({ isDefault: true })).toMatchObject(refused('TOO_MANY_ADDRESSES'))
    expect(await labels()).toEqual(['0*', ...names.slice(1)])
    expect((await shop.call('updateAddress', { as: rider, params: { id }, body: someAddress })).status).toBe(
      200,
    )
    expect(await list(await aCustomer(shop))).toEqual([])
  })

  test('keeps the limit and one default under concurrent requests', async () => {
    await saved(...Array.from({ length: maxAddresses - 5 }, (_, index) => `${index}`))
    const requests = Array.from({ length: 20 }, (_, index) =>
      untilDecided(() => add({ line1: `${index} New Road`, isDefault: true })),
    )
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 422)).toHaveLength(15)
    const all = await list()
    expect(all).toHaveLength(maxAddresses)
    expect(all.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test('saves an address once, and one default, if the first requests are concurrent', async () => {
    const requests = Array.from({ length: 10 }, (_, index) =>
      untilDecided(() => add({ line1: `${index % 2} Road` })),
    )
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(requests.map(() => 200))
    const all = await list()
    expect(all.map(({ line1 }) => line1).toSorted()).toEqual(['0 Road', '1 Road'])
    expect(all.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })
})

describe('PUT /v1/me/addresses/{id}', () => {
  const update = (id: string, body: object, as = rider) =>
    shop.call('updateAddress', { as, params: { id }, body: { ...someAddress, ...body } })

  test('replaces all parts', async () => {
    const id = await anAddress(shop, rider, { ...someAddress, label: 'Home', phone: '555', line2: 'Flat 2' })
    const { name, line1, city, country } = someAddress
    const bare = { name, line1, city, country }
    const { body } = await shop.call('updateAddress', { as: rider, params: { id }, body: bare })
    expect(body).toEqual([{ ...bare, id, isDefault: true }])
  })

  test('moves the default to another address, and never removes it', async () => {
    const [one = '', two = ''] = await saved('one', 'two')
    await update(two, { label: 'two', isDefault: true })
    expect(await labels()).toEqual(['one', 'two*'])
    await update(two, { label: 'two', isDefault: false })
    await update(one, { label: 'one' })
    expect(await labels()).toEqual(['one', 'two*'])
  })

  test('leaves one default after concurrent requests', async () => {
    const ids = await saved('a', 'b', 'c', 'd', 'e', 'f')
    const responses = await Promise.all(ids.map((id) => untilDecided(() => update(id, { isDefault: true }))))
    expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 200))
    expect((await list()).filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test("does not find another customer's address", async () => {
    const other = await aCustomer(shop)
    const id = await anAddress(shop, other)
    for (const each of [id, 'none', 'a\0b']) {
      expect(await update(each, { line1: '9 Road' })).toMatchObject(refused('ADDRESS_NOT_FOUND'))
    }
    expect(await list(other)).toMatchObject([{ ...someAddress, id }])
  })
})

describe('DELETE /v1/me/addresses/{id}', () => {
  const remove = (id: string, as = rider) => shop.call('deleteAddress', { as, params: { id } })

  test('deletes an address, and the oldest one replaces a deleted default', async () => {
    const [one = '', two = '', three = ''] = await saved('one', 'two', 'three')
    await remove(one)
    expect(await labels()).toEqual(['two*', 'three'])
    await remove(three)
    expect(await labels()).toEqual(['two*'])
    expect((await remove(two)).body).toEqual([])
  })

  test("does not find a deleted address, or another customer's", async () => {
    const [id = ''] = await saved('one')
    expect(await remove(id, await aCustomer(shop))).toMatchObject(refused('ADDRESS_NOT_FOUND'))
    expect((await remove(id)).status).toBe(200)
    expect(await remove(id)).toMatchObject(refused('ADDRESS_NOT_FOUND'))
  })

  test('leaves one default while addresses are added concurrently', async () => {
    const ids = await saved('a', 'b', 'c', 'd')
    await Promise.all([
      ...ids.map((id) => untilDecided(() => remove(id))),
      ...ids.map((id) => untilDecided(() => add({ line1: `1 ${id}` }))),
    ])
    const all = await list()
    expect(all).toHaveLength(4)
    expect(all.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })
})
