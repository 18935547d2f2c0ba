import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EditableSizeChart } from '../../contract/gear.ts'
import { useEditActions } from '../edited-list.tsx'
import { sizeChartPageQuery, useDeleteSizeChart } from '../features/catalog/queries.ts'
import { SizeChartEditor } from '../features/catalog/size-chart-editor.tsx'
import { ListView, useListParams } from '../list-view.tsx'
import { Button } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Size Charts' })

/** The size charts of the brands. The editor replaces the list. */
export default function SizeCharts() {
  const params = useListParams()
  const { page, pageSize } = params.toQuery([])
  const list = useQuery(sizeChartPageQuery({ page, pageSize }))
  const [edited, setEdited] = useState<EditableSizeChart | 'new' | null>(null)
  const { column, question } = useEditActions({
    noun: 'size chart',
    toName,
    toInput: ({ id }) => id,
    effect: (chart) => `${toName(chart)}. Its products will have no size chart.`,
    onEdit: setEdited,
    remove: useDeleteSizeChart(),
  })
  if (edited) {
    return (
      <>
        <PageHead title={edited === 'new' ? 'Add Size Chart' : 'Edit Size Chart'} />
        <SizeChartEditor chart={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />
      </>
    )
  }
  const add = <Button onClick={() => setEdited('new')}>Add size chart</Button>
  return (
    <>
      <PageHead
        title="Size Charts"
        note="Product pages show the chart for their brand and kind next to the sizes."
      >
        {add}
      </PageHead>
      <ListView
        caption="Size charts"
        failure="The size charts could not be loaded"
        list={list}
        columns={[...columns, column]}
        rowKey={({ id }) => id}
        params={params}
        empty={
          <EmptyState title="No size charts yet" action={add}>
            Add the chart of a maker to help riders choose their size.
          </EmptyState>
        }
      />
      {question}
    </>
  )
}

const toName = ({ brand, kind }: EditableSizeChart) => `${brand}, ${kind}`

const columns: Column<EditableSizeChart>[] = [
  { head: 'Brand', names: true, cell: ({ brand }) => brand },
  { head: 'Kind of part', cell: ({ kind }) => kind },
  { head: 'Measures', cell: ({ columns: measures, unit }) => `${measures.join(', ')} (${unit})` },
  { head: 'Sizes', numeric: true, cell: ({ rows }) => rows.length },
]
