import type { UseQueryResult } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { renderInRouter } from '../tests/render-in-router.tsx'
import { ListView, useListParams } from './list-view.tsx'

type List = UseQueryResult<{ rows: string[]; total: number }>

function Words({ list }: { list: Partial<List> }) {
  const params = useListParams()
  return (
    <ListView
      caption="Words"
      failure="The words could not be loaded"
      list={list as List}
      columns={[{ head: 'Word', cell: (word) => word }]}
      rowKey={(word) => word}
      params={params}
      searched="word"
    />
  )
}

test('while a list is loaded, the rows before stay, but no text about an empty list', () => {
  const empty = { rows: [], total: 0 }
  const loading = renderInRouter(<Words list={{ data: empty, isPlaceholderData: true }} />, {}, '?q=mirror')
  expect(loading).toContain('role="status"')
  expect(loading).not.toContain('No results')
  const loaded = renderInRouter(<Words list={{ data: empty, isPlaceholderData: false }} />, {}, '?q=mirror')
  expect(loaded).toContain('No word matches “mirror”.')
  const before = { rows: ['chain'], total: 1 }
  const stale = renderInRouter(<Words list={{ data: before, isPlaceholderData: true }} />, {}, '?q=mirror')
  expect(stale).toContain('chain')
})
