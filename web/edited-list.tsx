import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { ConfirmChange } from './confirm-change.tsx'
import { QueryError } from './query-error.tsx'
import { Button } from './ui/button.tsx'
import { type Column, DataTable } from './ui/data-table.tsx'
import { SectionHead } from './ui/page-head.tsx'
import { SectionSpinner } from './ui/section-spinner.tsx'
import { EmptyState } from './ui/states.tsx'

interface EditedListProps<Item> {
  title: string
  /** Names a listed item, such as `tax rate`. */
  noun: string
  list: UseQueryResult<Item[]>
  columns: Column<Item>[]
  toName: (item: Item) => string
  /** Text below the title of an empty list. */
  empty: ReactNode
  /** The effect of a deletion, as a sentence. */
  deletion: string
  /** Opens the editor; without an item for a new one. */
  onEdit: (item?: Item) => void
  remove: UseMutationResult<unknown, Error, string>
}

/** A section with items that are added, edited and deleted. */
export function EditedList<Item extends { id: string }>(props: EditedListProps<Item>) {
  const { title, noun, list, columns, toName, empty, deletion, onEdit, remove } = props
  const id = useId()
  const [deleted, setDeleted] = useState<Item | null>(null)
  const add = <Button onClick={() => onEdit()}>Add {noun}</Button>
  const action = (item: Item) => (
    <EditActions
      name={toName(item)}
      onEdit={() => onEdit(item)}
      onDelete={() => {
        remove.reset()
        setDeleted(item)
      }}
    />
  )
  const isEmpty = list.data?.length === 0
  return (
    <section aria-labelledby={id} className="pb-12">
      <SectionHead id={id} title={title}>
        {!isEmpty && add}
      </SectionHead>
      {list.isError && !list.data && <QueryError title={`The ${noun}s could not be loaded`} query={list} />}
      {list.isPending && <SectionSpinner />}
      {isEmpty && (
        <EmptyState title={`No ${noun}s yet`} action={add}>
          {empty}
        </EmptyState>
      )}
      {list.data && !isEmpty && (
        <DataTable
          caption={`${capitalize(noun)}s`}
          columns={[...columns, { head: 'Action', actions: true, cell: action }]}
          rows={list.data}
          rowKey={({ id }) => id}
        />
      )}
      {deleted && (
        <ConfirmChange
          title={`Delete ${noun}`}
          change={remove}
          input={deleted.id}
          done={`${capitalize(noun)} deleted`}
          onClose={() => setDeleted(null)}
        >
          {toName(deleted)}. {deletion}
        </ConfirmChange>
      )}
    </section>
  )
}

interface EditActionsProps {
  /** Names the item for screen readers. */
  name: string
  onEdit: () => void
  onDelete: () => void
}

/** The buttons in the row of an item. */
export const EditActions = ({ name, onEdit, onDelete }: EditActionsProps) => (
  <div className="flex flex-wrap justify-end gap-2 lg:flex-nowrap">
    <Button variant="quiet" size="small" aria-label={`Edit ${name}`} onClick={onEdit}>
      Edit
    </Button>
    <Button variant="danger" size="small" aria-label={`Delete ${name}`} onClick={onDelete}>
      Delete
    </Button>
  </div>
)

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
