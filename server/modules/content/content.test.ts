import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { NewDocument, StoredDocument } from '../../../contract/documents.ts'
import { productPath } from '../../../contract/product.ts'
import { anAdmin, aProduct } from '../../../tests/factories.ts'
import { checkFile, runImport } from '../../../tests/product-import.ts'
import { whileReferenced } from '../../../tests/referenced-row.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import {
  createDocumentQueries,
  createMarkdown,
  findRedirectTarget,
  listDocumentPaths,
  listLegalPages,
} from './service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))

const terms: NewDocument = {
  kind: 'page',
  slug: 'terms',
  title: 'Terms',
  summary: 'What applies',
  category: '',
  image: '',
  body: '# General\n\nText',
}

interface Tagged {
  document: StoredDocument
  etag: string
}

const toTagged = ({ body, headers }: { body: StoredDocument; headers: Headers }): Tagged => ({
  document: body,
  etag: headers.get('etag') ?? '',
})

async function add(changes: Partial<NewDocument> = {}): Promise<Tagged> {
  return toTagged(await shop.call('addDocument', { as: admin, body: { ...terms, ...changes } }))
}

const save = ({ document: { id, slug, legalKind, text }, etag }: Tagged, changes: Partial<NewDocument>) =>
  shop.call('saveDocument', {
    as: admin,
    params: { id },
    headers: { 'if-match': etag },
    body: { slug, legalKind, ...text, ...changes },
  })

const publish = ({ document: { id }, etag }: Tagged, at?: string) =>
  shop.call('publishDocument', { as: admin, params: { id }, headers: { 'if-match': etag }, body: { at } })

const discard = ({ document: { id }, etag }: Tagged) =>
  shop.call('discardDraft', { as: admin, params: { id }, headers: { 'if-match': etag } })

const get = async (id: string) => toTagged(await shop.call('getDocument', { as: admin, params: { id } }))

async function addPublished(changes: Partial<NewDocument> = {}): Promise<Tagged> {
  return toTagged(await publish(await add(changes)))
}

/** The time in a number of hours. */
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** Sets the time of a scheduled version, as if it had passed. */
const setPublished = (id: string, number: number, at: string) =>
  sql`update document_versions set published_at = ${at} where document_id = ${id} and number = ${number}`.execute(
    shop.db,
  )

const read = (slug: string, kind: 'page' | 'post' = 'page') =>
  createDocumentQueries(shop.db, createMarkdown(null)).document(kind, slug)

describe('a document', () => {
  test('is a draft until it is published, with the HTML of its text', async () => {
    const added = await add()
    expect(added.document).toMatchObject({
      status: 'draft',
      hasDraft: true,
      html: '<h2>General</h2>\n<p>Text</p>\n',
    })
    expect(await read('terms')).toBeNull()
    const { body } = await publish(added)
    expect(body).toMatchObject({ status: 'published', hasDraft: false, visible: 1 })
    expect(await read('terms')).toMatchObject({ title: 'Terms', path: '/pages/terms', html: body.html })
    expect(await read('terms', 'post')).toBeNull()
  })

  test('shows the published version while a draft is changed', async () => {
    const published = await addPublished()
    const edited = toTagged(await save(published, { title: 'New terms' }))
    expect(edited.document).toMatchObject({ status: 'changed', hasDraft: true, visible: 1 })
    expect(await read('terms')).toMatchObject({ title: 'Terms' })
    const again = toTagged(await save(edited, { title: 'Newest terms' }))
    expect(again.document.versions.map(({ number, title }) => [number, title])).toEqual([
      [2, 'Newest terms'],
      [1, 'Terms'],
    ])
    await publish(again)
    expect(await read('terms')).toMatchObject({ title: 'Newest terms' })
    const { body } = await shop.call('getDocumentVersion', {
      as: admin,
      params: { id: published.document.id, number: '1' },
    })
    expect(body).toMatchObject({ title: 'Terms', body: terms.body })
  })

  test('that is saved without a change of its text has no new draft', async () => {
    const published = await addPublished()
    const { body } = await save(published, { legalKind: 'terms' })
    expect(body).toMatchObject({ status: 'published', hasDraft: false, legalKind: 'terms' })
  })

  test('that has these values already is saved again, even with an old version', async () => {
    const first = await add()
    const second = toTagged(await save(first, { title: 'Second' }))
    expect(toTagged(await save(first, { title: 'Second' }))).toEqual(second)
    expect(await save(first, { title: 'Second', slug: 'other' })).toMatchObject(refused('DOCUMENT_CHANGED'))
  })

  test('is not saved or published over the change of another admin', async () => {
    const first = await add()
    const second = toTagged(await save(first, { title: 'Second' }))
    expect(await save(first, { title: 'Third' })).toMatchObject(refused('DOCUMENT_CHANGED'))
    expect(await publish(first)).toMatchObject(refused('DOCUMENT_CHANGED'))
    expect((await get(first.document.id)).document.text.title).toBe('Second')
    const { status } = await shop.call('saveDocument', {
      as: admin,
      params: { id: first.document.id },
      headers: { 'if-match': `W/${second.etag}` },
      body: { slug: 'terms', ...second.document.text },
    })
    expect(status).toBe(200)
  })

  test('needs a title and a text to be published', async () => {
    expect(await publish(await add({ title: ' ' }))).toMatchObject(refused('DOCUMENT_INCOMPLETE'))
    expect(await publish(await add({ slug: 'other', body: ' ' }))).toMatchObject(
      refused('DOCUMENT_INCOMPLETE'),
    )
    expect(await listDocumentPaths(shop.db)).toEqual([])
  })

  test('is archived while a file of redirects that lead to it is imported', async () => {
    const { id } = (await addPublished({ slug: 'guide' })).document
    const archived = await whileReferenced(shop, { table: 'documents', id }, () =>
      shop.call('archiveDocument', { as: admin, params: { id } }),
    )
    expect(archived.status).toBe(200)
  })

  test('that is archived is gone, leaves its legal place, and can be published again', async () => {
    const { document } = await addPublished({ legalKind: 'terms' })
    const archive = () => shop.call('archiveDocument', { as: admin, params: { id: document.id } })
    const { body } = await archive()
    expect([body.status, body.legalKind]).toEqual(['archived', undefined])
    expect((await archive()).status).toBe(200)
    expect(await read('terms')).toBe('gone')
    expect(await listDocumentPaths(shop.db)).toEqual([])
    await publish(await get(document.id))
    expect(await read('terms')).toMatchObject({ title: 'Terms' })
    await shop.call('archiveDocument', {
      as: admin,
      params: { id: (await add({ slug: 'draft' })).document.id },
    })
    expect(await read('draft')).toBeNull()
  })

  test('has an address of its own among pages and among posts', async () => {
    await add()
    const other = await add({ slug: 'other' })
    expect(await shop.call('addDocument', { as: admin, body: terms })).toMatchObject(refused('SLUG_TAKEN'))
    expect(await save(other, { slug: 'terms' })).toMatchObject(refused('SLUG_TAKEN'))
    expect((await add({ kind: 'post' })).document.kind).toBe('post')
  })

  test.each([
    ['slug', { slug: 'Terms' }],
    ['slug', { slug: 'a--b' }],
    ['slug', { slug: '' }],
    ['title', { title: 'x'.repeat(121) }],
    ['body', { body: 'x'.repeat(100_001) }],
    ['image', { image: 'https://example.com/a.png' }],
    ['image', { image: '/pictures/chain.svg' }],
    ['legalKind', { kind: 'post', legalKind: 'terms' }],
    ['body', { body: 'a\u0000b' }],
  ] as const)('with a wrong %s is an error of this field', async (field, changes) => {
    const body = { ...terms, ...changes }
    expect(await shop.call('addDocument', { as: admin, body })).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
  })

  test('of 100,000 characters of four bytes is accepted', async () => {
    const body = '😀'.repeat(50_000)
    expect((await add({ body })).document.text.body).toBe(body)
  })

  test('that visitors have seen cannot be changed in the database', async () => {
    const { document } = await addPublished()
    for (const statement of [
      sql`update document_versions set title = 'x'`,
      sql`update document_versions set published_at = null`,
      sql`delete from document_versions`,
      sql`truncate document_versions`,
    ]) {
      await expect(statement.execute(shop.db)).rejects.toThrow('rows of document_versions cannot be changed')
    }
    expect(await read('terms')).toMatchObject({ title: document.text.title })
  })

  test('is in the history when it is added, published, renamed and archived', async () => {
    const published = await addPublished()
    const { body } = await save(published, { slug: 'general-terms' })
    await shop.call('archiveDocument', { as: admin, params: { id: body.id } })
    const query = { area: 'content' } as const
    const { entries } = (await shop.call('listAudit', { as: admin, query })).body
    expect(entries.map(({ kind, subject, by }) => [kind, subject.id, subject.name, by?.email])).toEqual([
      ['edited', '/pages/general-terms', 'Terms', admin.email],
      ['edited', '/pages/general-terms', 'Terms', admin.email],
      ['edited', '/pages/terms', 'Terms', admin.email],
      ['added', '/pages/terms', 'Terms', admin.email],
    ])
    expect(JSON.stringify(entries)).not.toContain('General\\n')
  })

  test('can be found in its list by title and address', async () => {
    await add()
    await add({ slug: 'imprint', title: 'Imprint' })
    await add({ kind: 'post', slug: 'chain', title: 'Chain care' })
    const list = async (query: Record<string, string>) => {
      const { body, headers } = await shop.call('listDocuments', { as: admin, query })
      return [headers.get('x-total-count'), ...body.map(({ slug }) => slug)]
    }
    expect(await list({})).toEqual(['3', 'chain', 'imprint', 'terms'])
    expect(await list({ kind: 'page' })).toEqual(['2', 'imprint', 'terms'])
    expect(await list({ q: 'CARE' })).toEqual(['1', 'chain'])
    expect(await list({ kind: 'page', q: '%' })).toEqual(['0'])
  })
})

describe('a scheduled version', () => {
  test('is visible from its time on, without a job', async () => {
    const added = await add()
    const { body, headers } = await publish(added, inHours(1))
    expect(body).toMatchObject({ status: 'scheduled', hasDraft: false, scheduledFor: expect.any(String) })
    expect(await read('terms')).toBeNull()
    await setPublished(body.id, 1, inHours(-1))
    expect(await read('terms')).toMatchObject({ title: 'Terms' })
    const { document } = await get(body.id)
    expect(document.status).toBe('published')
    expect(headers.get('etag')).not.toBe(added.etag)
  })

  test('does not hide a newer one: a publication replaces it', async () => {
    const published = await addPublished()
    const edited = toTagged(await save(published, { title: 'Tomorrow' }))
    const scheduled = toTagged(await publish(edited, inHours(24)))
    expect(scheduled.document.status).toBe('changed')
    const newer = toTagged(await save(scheduled, { title: 'Today' }))
    const { body } = await publish(newer)
    expect(body.versions.map(({ title }) => title)).toEqual(['Today', 'Terms'])
    expect(await read('terms')).toMatchObject({ title: 'Today' })
  })

  test('cannot be postponed or cancelled after its time has come', async () => {
    const scheduled = toTagged(await publish(await add(), inHours(1)))
    const { id } = scheduled.document
    expect((await publish(scheduled, scheduled.document.scheduledFor)).body.status).toBe('scheduled')
    await setPublished(id, 1, inHours(-1))
    expect(await publish(await get(id), inHours(2))).toMatchObject(refused('ALREADY_PUBLIC'))
    const unscheduled = await shop.call('unscheduleDocument', { as: admin, params: { id } })
    expect(unscheduled).toMatchObject(refused('ALREADY_PUBLIC'))
    expect(await read('terms')).toMatchObject({ title: 'Terms' })
    expect((await publish(await get(id))).body.status).toBe('published')
  })

  test('becomes the draft again, unless there is another draft', async () => {
    const scheduled = toTagged(await publish(await add(), inHours(1)))
    const { id } = scheduled.document
    const unschedule = () => shop.call('unscheduleDocument', { as: admin, params: { id } })
    const edited = toTagged(await save(scheduled, { title: 'Newer' }))
    expect(await unschedule()).toMatchObject(refused('DRAFT_EXISTS'))
    expect(edited.document.text.title).toBe('Newer')
    expect(await discard(scheduled)).toMatchObject(refused('DOCUMENT_CHANGED'))
    await discard(edited)
    expect((await unschedule()).body).toMatchObject({ status: 'draft', text: { title: 'Terms' } })
    expect((await unschedule()).status).toBe(200)
  })

  test('of an archived document leaves it hidden until its time, even without a new version', async () => {
    const passTime = (id: string) =>
      sql`update documents set restores_at = ${inHours(-1)} where id = ${id}`.execute(shop.db)
    const archive = async (id: string) =>
      toTagged(await shop.call('archiveDocument', { as: admin, params: { id } }))
    const { id } = (await addPublished()).document
    const scheduled = toTagged(await publish(await archive(id), inHours(1)))
    expect(scheduled.document).toMatchObject({ status: 'scheduled', scheduledFor: expect.any(String) })
    expect(await read('terms')).toBe('gone')
    expect(await listDocumentPaths(shop.db)).toEqual([])
    const unscheduled = await shop.call('unscheduleDocument', { as: admin, params: { id } })
    expect(unscheduled.body.status).toBe('archived')

    const edited = toTagged(await save(toTagged(unscheduled), { title: 'Next year' }))
    const again = toTagged(await publish(edited, inHours(1)))
    expect(await read('terms')).toBe('gone')
    await passTime(id)
    await setPublished(id, 2, inHours(0))
    expect(await read('terms')).toMatchObject({ title: 'Next year' })
    expect((await get(id)).document).toMatchObject({ status: 'published', visible: 2 })

    expect((await archive(id)).document.status).toBe('archived')
    expect(await read('terms')).toBe('gone')
    expect(again.document.versions).toHaveLength(2)
  })

  test('can get another time, which must be in the future', async () => {
    const scheduled = toTagged(await publish(await add(), inHours(1)))
    expect(await publish(scheduled, inHours(-1))).toMatchObject({
      status: 400,
      body: { fields: { at: 'Choose a time in the future' } },
    })
    expect((await publish(scheduled)).body.status).toBe('published')
  })
})

test('the only draft of a document is not discarded', async () => {
  const { body } = await discard(await add())
  expect(body).toMatchObject({ status: 'draft', hasDraft: true })
})

test('posts are listed by their first publication, the newest first, with their total', async () => {
  const titles = ['One', 'Two', 'Three']
  for (const [index, title] of titles.entries()) {
    const { document } = await add({ kind: 'post', slug: title.toLowerCase(), title })
    await setPublished(document.id, 1, inHours(index - 5))
  }
  // A later version does not move a post.
  const { rows } = await sql<{ id: string }>`select id from documents where slug = 'one'`.execute(shop.db)
  const stored = await get(rows[0]?.id ?? '')
  await publish(toTagged(await save(stored, { title: 'First' })))
  const list = (page: number, pageSize: number) =>
    createDocumentQueries(shop.db, createMarkdown(null)).posts({ page, pageSize })
  expect((await list(1, 10)).posts.map(({ title }) => title)).toEqual(['Three', 'Two', 'First'])
  const last = await list(2, 2)
  expect([last.total, last.posts.map(({ path }) => path)]).toEqual([3, ['/blogs/one']])
  expect(await list(9, 2)).toEqual({ posts: [], total: 3 })
})

test('visible legal pages are listed in a fixed order, each kind once', async () => {
  await addPublished({ slug: 'privacy', title: 'Privacy', legalKind: 'privacy' })
  await addPublished({ slug: 'imprint', title: 'Imprint', legalKind: 'imprint' })
  await add({ legalKind: 'terms' })
  expect(await listLegalPages(shop.db)).toEqual([
    { title: 'Imprint', path: '/pages/imprint' },
    { title: 'Privacy', path: '/pages/privacy' },
  ])
  const body = { ...terms, slug: 'other', legalKind: 'imprint' } as const
  expect(await shop.call('addDocument', { as: admin, body })).toMatchObject(refused('LEGAL_KIND_TAKEN'))
})

test('a text is rendered for the preview without a change', async () => {
  const { body, headers } = await shop.call('renderMarkdown', { as: admin, body: { body: '**Bold** <b>' } })
  expect(body.html).toBe('<p><strong>Bold</strong> &lt;b&gt;</p>\n')
  expect(headers.get('set-cookie')).toBeNull()
})

describe('a redirect', () => {
  const put = (path: string, target: string) =>
    shop.call('saveRedirect', { as: admin, body: { path, target } })
  const find = (path: string) => findRedirectTarget(shop.db, path)
  const list = async () =>
    (await shop.call('listRedirects', { as: admin })).body.map(({ path, target, source }) => [
      path,
      target,
      source,
    ])

  test('leads from the earlier address of a published document to its present one, in one hop', async () => {
    const published = await addPublished({ slug: 'agb' })
    const renamed = toTagged(await save(published, { slug: 'conditions' }))
    await save(renamed, { slug: 'terms' })
    expect(await list()).toEqual([
      ['/pages/agb', '/pages/terms', 'renamed'],
      ['/pages/conditions', '/pages/terms', 'renamed'],
    ])
    expect(await find('/pages/AGB/')).toBe('/pages/terms')
  })

  test('is not made for a draft, and ends when a document gets its address', async () => {
    await save(await add({ slug: 'agb' }), { slug: 'terms' })
    expect(await list()).toEqual([])
    await put('/pages/imprint', '/contact-us')
    await put('/pages/legal', '/contact-us')
    await add({ slug: 'imprint' })
    const { entries } = (await shop.call('listAudit', { as: admin, query: { subject: '/pages/imprint' } }))
      .body
    expect(entries.map(({ kind }) => kind)).toEqual(['added', 'deleted', 'added'])
    await save(await add({ slug: 'other' }), { slug: 'legal' })
    expect(await list()).toEqual([])
  })

  test('is found in every spelling of its path', async () => {
    await put('/Produkte/Lenkergriff-%C3%9F/', '/products?kind=Grips')
    for (const path of [
      '/produkte/lenkergriff-ß',
      '/produkte/lenkergriff-%c3%9f',
      '/PRODUKTE/LENKERGRIFF-ß/',
    ])
      expect(await find(path), path).toBe('/products?kind=Grips')
    expect(await find('/produkte')).toBeNull()
    for (const path of ['/%00', '/\ud800', `/${'x'.repeat(600)}`, '/%E0%A4%A'])
      expect(await find(path)).toBeNull()
    // A quadratic pattern would take longer than the test may.
    expect(await find(`${'/'.repeat(200_000)}x`)).toBeNull()
    expect((await put('/Old%00', '/reviews')).status).toBe(200)
    expect(await find('/old%00')).toBe('/reviews')
  })

  test.each([
    ['/.//example.com/login', '/example.com/login'],
    ['/x/..//example.com/login', '/example.com/login'],
    ['/%2F%2Fexample.com', '/%2F%2Fexample.com'],
    ['/%255Cexample.com', '/%5Cexample.com'],
    ['/@example.com', '/@example.com'],
  ])('to %s stays in the shop', async (target, location) => {
    expect((await put('/old', target)).status).toBe(200)
    expect(await find('/old')).toBe(location)
  })

  test('that was stored with a control character stays in the shop', async () => {
    await put('/old', '/reviews')
    await sql`update redirects set target = ${'/\t/example.com:x'}`.execute(shop.db)
    expect(await find('/old')).toBe('/example.com:x')
  })

  test('from the page of a deleted product never leads back to it', async () => {
    const id = await aProduct(shop, { name: 'Pads' })
    const path = `/product/${id}/pads`
    await put('/old', path)
    expect(await put(path, '/products')).toMatchObject(refused('REDIRECT_REFUSED'))
    await sql`update products set deleted_at = now() where id = ${id}`.execute(shop.db)
    expect(await put(path, '/old')).toMatchObject(refused('INVALID_REQUEST'))
    expect((await put(path, '/products')).status).toBe(200)
    expect(await find(path)).toBe('/products')
  })

  test('from a deleted product leads past other deleted ones, and not in a loop', async () => {
    const ids = [await aProduct(shop), await aProduct(shop), await aProduct(shop)]
    const [first = '', second = '', third = ''] = ids.map((id) =>
      productPath({ _id: id, name: 'Sintered brake pads' }),
    )
    const remove = (index: number) =>
      sql`update products set deleted_at = now() where id = ${ids[index]}`.execute(shop.db)
    await remove(0)
    await put(first, second)
    await remove(1)
    await put(second, third)
    expect(await find(first)).toBe(third)
    await remove(2)
    expect(await find(first)).toBe(third)
    expect((await put(third, first)).status).toBe(200)
    await put('/old', first)
    expect(await Promise.all(['/old', first, second, third].map(find))).toEqual([null, null, null, null])
  })

  test('to a product leads to its present name', async () => {
    const id = await aProduct(shop, { name: 'Touring jacket' })
    await put('/products/touring-jacket', `/product/${id}/old-name`)
    expect(await find('/products/touring-jacket')).toBe(`/product/${id}/touring-jacket`)
    await sql`update products set name = 'Winter jacket' where id = ${id}`.execute(shop.db)
    expect(await find('/products/touring-jacket')).toBe(`/product/${id}/winter-jacket`)
  })

  test('to another redirect leads to its end even if that is added later', async () => {
    await put('/a', '/b')
    await put('/b', '/c?x=1')
    await put('/d', '/b')
    await addPublished({ slug: 'agb' })
    await put('/e', '/pages/agb')
    expect(await list()).toEqual([
      ['/a', '/c?x=1', 'admin'],
      ['/b', '/c?x=1', 'admin'],
      ['/d', '/c?x=1', 'admin'],
      ['/e', '/pages/agb', 'admin'],
    ])
    await put('/caf%C3%A9', '/tea')
    await put('/x', '/CAFÉ')
    expect(await find('/x')).toBe('/tea')
  })

  test.each([
    ['/', '/products'],
    ['/products', '/'],
    ['/Products/', '/'],
    ['/dashboard/audit', '/'],
    ['/api/products', '/'],
    ['/robots.txt', '/'],
    ['/pages/terms', '/'],
  ])('from %s is refused, because the shop has a page there', async (path, target) => {
    await add()
    const { status, body } = await put(path, target)
    expect([status, 'code' in body && body.code]).toEqual(
      path === '/' ? [400, 'INVALID_REQUEST'] : [422, 'REDIRECT_REFUSED'],
    )
    expect(await list()).toEqual([])
  })

  test('from the page of a product is refused, and from an unknown one accepted', async () => {
    const id = await aProduct(shop)
    expect(await put(`/product/${id}/x`, '/')).toMatchObject(refused('REDIRECT_REFUSED'))
    expect((await put('/product/4711/x', '/')).status).toBe(200)
  })

  test.each([
    ['target', '/a', 'https://example.com'],
    ['target', '/a', '//example.com'],
    ['target', '/a', '/\\example.com'],
    ['target', '/a', '/A/?x=1'],
    ['target', '/a', ''],
    ['target', '/a', '/%5Cx'],
    ['target', '/a', '/x%5Cy'],
    ['target', '/a', '/%00'],
    ['target', '/a', '/%09/example.com'],
    ['path', 'a', '/'],
    ['path', '//a', '/'],
    ['path', '/a?b', '/'],
    ['path', `/${'x'.repeat(500)}`, '/'],
  ])('with a wrong %s is an error of this field: %s -> %s', async (field, path, target) => {
    expect(await put(path, target)).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    })
  })

  test('is replaced and deleted, and both are in the history', async () => {
    await put('/a', '/products')
    await put('/a', '/reviews')
    expect(await find('/a')).toBe('/reviews')
    const remove = () => shop.call('deleteRedirect', { as: admin, query: { path: '/A' } })
    expect((await remove()).status).toBe(200)
    expect(await remove()).toMatchObject(refused('NOT_FOUND'))
    const { entries } = (await shop.call('listAudit', { as: admin, query: { subject: '/a' } })).body
    expect(entries.map(({ kind }) => kind)).toEqual(['deleted', 'edited', 'added'])
  })

  describe('in a file', () => {
    const check = (...lines: string[]) =>
      checkFile(shop, admin, ['Redirect from,Redirect to', ...lines].join('\n'), 'redirects')
    const importRows = async (...lines: string[]) => runImport(shop, admin, await check(...lines))

    test('is added or replaced, and the same file again changes nothing', async () => {
      await put('/a', '/reviews')
      const report = await check('/A/,/products', '/caf%C3%A9,/products?kind=Grips', '/c,/bikes')
      expect(report).toMatchObject({ errorCount: 0, added: 2, changed: 1, unchanged: 0 })
      expect(report.changes).toContainEqual({
        row: 2,
        name: '/a',
        before: { 'redirect to': '/reviews' },
        after: { 'redirect to': '/products' },
      })
      expect(await list()).toHaveLength(1)
      expect(await runImport(shop, admin, report)).toMatchObject({ state: 'done', added: 2, changed: 1 })
      expect(await list()).toEqual([
        ['/a', '/products', 'file'],
        ['/c', '/bikes', 'file'],
        ['/café', '/products?kind=Grips', 'file'],
      ])
      expect(await check('/a,/products', '/café,/products?kind=Grips')).toMatchObject({ unchanged: 2 })
    })

    test('leads to the end of other redirects, to products and to pages', async () => {
      const id = await aProduct(shop, { name: 'Pads' })
      await addPublished({ slug: 'agb' })
      await put('/stored', '/reviews')
      await put('/earlier', '/one')
      await importRows('/one,/two', '/two,/stored', `/p,/product/${id}`, '/q,/p', '/t,/pages/agb')
      expect(await list()).toEqual([
        ['/earlier', '/reviews', 'admin'],
        ['/one', '/reviews', 'file'],
        ['/p', `/product/${id}/pads`, 'file'],
        ['/q', `/product/${id}/pads`, 'file'],
        ['/stored', '/reviews', 'admin'],
        ['/t', '/pages/agb', 'file'],
        ['/two', '/reviews', 'file'],
      ])
      await expectConsistent(shop.db)
    })

    test('never leads from the page of a deleted product back to it', async () => {
      const id = await aProduct(shop, { name: 'Pads' })
      await put('/old', `/product/${id}/pads`)
      await sql`update products set deleted_at = now() where id = ${id}`.execute(shop.db)
      const { errors } = await check(`/product/${id}/pads,/old`, `/product/${id},/products`)
      expect(errors.map(({ row, column }) => [row, column])).toEqual([[2, 'redirect to']])
    })

    // Following each row to the end takes longer than a test may.
    test('is followed once if each row leads to the next one', async () => {
      const lines = Array.from({ length: 15_000 }, (_, index) => `/old/${index},/old/${index + 1}`)
      expect(await check(...lines)).toMatchObject({ errorCount: 0, added: 15_000 })
    })

    test('never hides a page, and never leads to itself or to another host', async () => {
      await addPublished({ slug: 'imprint' })
      const id = await aProduct(shop)
      const lines = [
        '/dashboard/x,/',
        '/pages/imprint,/',
        `/product/${id},/`,
        '/a,/b',
        '/b,/A',
        '/c,https://example.com',
        '/d,/reviews',
        '/d,/products',
        'e,/',
      ]
      const { errors, errorCount } = await check(...lines)
      expect(errors.map(({ row, column }) => [row, column])).toEqual([
        [2, 'redirect from'],
        [3, 'redirect from'],
        [4, 'redirect from'],
        [5, 'redirect to'],
        [6, 'redirect to'],
        [7, 'redirect to'],
        [9, 'redirect from'],
        [10, 'redirect from'],
      ])
      expect(errorCount).toBe(8)
    })
  })

  test('can be added after an import of more old addresses than the limit, but not above it', async () => {
    const id = await aProduct(shop)
    await sql`
      insert into redirects (path, product_id, source)
      select '/products/' || n, ${id}, 'file' from generate_series(1, 100000) as n`.execute(shop.db)
    expect((await put('/a', '/reviews')).status).toBe(200)
    await sql`update redirects set product_id = null, target = '/reviews' where source = 'file'`.execute(
      shop.db,
    )
    expect(await put('/b', '/reviews')).toMatchObject(refused('TOO_MANY_REDIRECTS'))
  })

  test('and a document never have the same path, in any order', async () => {
    const requests = Array.from({ length: 6 }, (_, index) => [
      add({ slug: `page-${index}` }),
      put(`/pages/page-${index}`, '/'),
    ])
    await Promise.all(requests.flat())
    // On a busy machine a request may be refused, and the other one of its path accepted.
    const { rows } = await sql`
      select path from redirects join documents on path = '/pages/' || slug`.execute(shop.db)
    expect(rows).toEqual([])
    const added = await sql`select from documents`.execute(shop.db)
    expect(added.rows.length).toBeGreaterThan(0)
  })
})
