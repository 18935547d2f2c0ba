import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { refreshRow, workListQuery } from './queries.ts'

afterEach(() => vi.unstubAllGlobals())

test('a row is replaced by its order, not by a newer one whose note has its id', async () => {
  const newer = { _id: 'b', tags: [] }
  const changed = { _id: 'a', tags: ['#late'] }
  vi.stubGlobal('fetch', async (url: string) => {
    const { searchParams } = new URL(url, 'http://localhost')
    return Response.json([newer, changed].slice(0, Number(searchParams.get('pageSize'))))
  })
  const client = new QueryClient()
  const { queryKey } = workListQuery({})
  client.setQueryData(queryKey, { rows: [{ _id: 'a', tags: [] }] } as never)
  await refreshRow(client, 'a')
  expect(client.getQueryData(queryKey)).toEqual({ rows: [changed] })
})
