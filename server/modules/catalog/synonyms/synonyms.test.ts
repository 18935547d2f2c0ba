import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { anAdmin, aProduct } from '../../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const save = (phrases: string[], id: string = randomUUID()) =>
  shop.call('saveSynonyms', { as: admin, params: { id }, body: { phrases } })
const remove = (id: string) => shop.call('deleteSynonyms', { as: admin, params: { id } })
const list = async () => (await shop.call('listSynonyms', { as: admin })).body
const find = async (q: string) =>
  (await shop.call('listProducts', { query: { q } })).body.map(({ name }) => name)

describe('synonyms', () => {
  test('are listed by their first phrase, and after them the groups of the shop', async () => {
    await save(['sissy bar', 'backrest'], 'a2')
    await save([' Bungee ', 'elastic strap'], 'a1')
    const { added, shipped } = await list()
    expect(added).toEqual([
      { id: 'a1', phrases: ['Bungee', 'elastic strap'], revision: expect.any(String) },
      { id: 'a2', phrases: ['sissy bar', 'backrest'], revision: expect.any(String) },
    ])
    expect(shipped).toContainEqual(['grey', 'gray'])
  })

  test('are found in a search as soon as they are saved, and no longer after they are deleted', async () => {
    await aProduct(shop, { name: 'Quilted backrest' })
    await aProduct(shop, { name: 'Elastic strap' })
    expect(await find('sissy bar')).toEqual([])
    await save(['sissy bar', 'backrest'], 'a1')
    for (const typed of ['sissy bar', 'Sissy Bars', 'sissybar', 'sissy-bars', 'quilted sissy bar']) {
      expect(await find(typed), typed).toEqual(['Quilted backrest'])
    }
    await save(['sissy bar', 'elastic strap'], 'a1')
    expect(await find('sissy bar')).toEqual(['Elastic strap'])
    expect((await remove('a1')).status).toBe(200)
    expect(await find('sissy bar')).toEqual([])
    expect(await remove('a1')).toMatchObject(refused('NOT_FOUND'))
  })

  test('are in the audit with each change', async () => {
    await save(['sissy bar', 'backrest'], 'a1')
    await save(['sissy bar', 'backrest'], 'a1')
    await save(['sissy bar', 'passenger rest'], 'a1')
    await remove('a1')
    const query = { area: 'synonyms', subject: 'sissy bar' } as const
    const { entries } = (await shop.call('listAudit', { as: admin, query })).body
    expect(entries.map(({ kind, by, changes }) => [kind, by?.email, changes])).toEqual([
      ['deleted', admin.email, [{ field: 'phrases', before: 'sissy bar; passenger rest' }]],
      [
        'edited',
        admin.email,
        [{ field: 'phrases', before: 'sissy bar; backrest', after: 'sissy bar; passenger rest' }],
      ],
      ['added', admin.email, [{ field: 'phrases', after: 'sissy bar; backrest' }]],
    ])
  })

  test.each([
    ['one phrase', 'phrases', ['backrest']],
    ['21 phrases', 'phrases', Array.from({ length: 21 }, (_, index) => `phrase ${index}`)],
    ['a phrase twice', 'phrases', ['backrest', 'Backrest']],
    ['a blank phrase', 'phrases.1', ['backrest', ' ']],
    ['a phrase without letters and digits', 'phrases.1', ['backrest', '!']],
    ['a phrase with a comma', 'phrases.1', ['backrest', 'sissy, bar']],
    ['a phrase of five words', 'phrases.1', ['backrest', 'a bar for your back']],
    ['a phrase of 61 characters', 'phrases.1', ['backrest', 'x'.repeat(61)]],
  ])('%s is an error of its field', async (_, field, phrases) => {
    expect(await save(phrases)).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
    expect((await list()).added).toEqual([])
  })

  test('have at most 500 groups, which can still be changed', async () => {
    await save(['sissy bar', 'backrest'], 'a1')
    await sql`insert into synonyms (id, phrases)
      select 'b' || n, array['word' || n, 'other' || n] from generate_series(2, 500) as n`.execute(shop.db)
    expect(await save(['bungee', 'strap'])).toMatchObject(refused('TOO_MANY_SYNONYMS'))
    expect((await save(['bungee', 'strap'], 'a1')).status).toBe(200)
  })
})
