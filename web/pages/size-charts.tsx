import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EditableSizeChart } from '../../contract/gear.ts'
import { ConfirmChange } from '../confirm-change.tsx'
import { EditActions } from '../edited-list.tsx'
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
  const [deleted, setDeleted] = useState<EditableSizeChart | null>(null)
  const remove = useDeleteSizeChart()
  if (edited) {
    return (
      <>
        <PageHead title={edited === 'new' ? 'Add Size Chart' : 'Edit Size Chart'} />
        <SizeChartEditor chart={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />
      </>
    )
  }
  const add = <Button onClick={() => setEdited('new')}>Add size chart</Button>
  const action = (chart: EditableSizeChart) => (
    <EditActions
      name={toName(chart)}
      onEdit={() => setEdited(chart)}
      onDelete={() => {
        remove.reset()
        setDeleted(chart)
      }}
    />
  )
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
        columns={[...columns, { head: 'Action', actions: true, cell: action }]}
        rowKey={({ id }) => id}
        params={params}
        empty={
          <EmptyState title="No size charts yet" action={add}>
            Add the chart of a maker to help riders choose their size.
          </EmptyState>
        }
      />
      {deleted && (
        <ConfirmChange
          title="Delete size chart"
          change={remove}
          input={deleted.id}
          done="Size chart deleted"
          onClose={() => setDeleted(null)}
        >
          {toName(deleted)}. Its products will have no size chart.
        </ConfirmChange>
      )}
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
