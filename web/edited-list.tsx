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
  const { column, question } = useEditActions({
    noun,
    toName,
    toInput: (item) => item.id,
    effect: (item) => `${toName(item)}. ${deletion}`,
    onEdit,
    remove,
  })
  const add = <Button onClick={() => onEdit()}>Add {noun}</Button>
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
          columns={[...columns, column]}
          rows={list.data}
          rowKey={({ id }) => id}
        />
      )}
      {question}
    </section>
  )
}

/** Returns the version of an edited item in a list that was loaded again. */
export const findCurrent = <Item extends { id: string }>(
  items: Item[] = [],
  edited?: Item,
): Item | undefined => items.find(({ id }) => id === edited?.id) ?? edited

interface EditActionsOptions<Item> {
  noun: string
  /** Names an item for screen readers. */
  toName: (item: Item) => string
  /** The input of `remove`. */
  toInput: (item: Item) => string
  /** The text of the question. */
  effect: (item: Item) => string
  onEdit: (item: Item) => void
  remove: UseMutationResult<unknown, Error, string>
}

/** Returns the column with the buttons of each item, and the question before a deletion. */
export function useEditActions<Item>(options: EditActionsOptions<Item>) {
  const { noun, toName, toInput, effect, onEdit, remove } = options
  const [deleted, setDeleted] = useState<Item | null>(null)
  const ask = (item: Item) => {
    // The last question may have ended with a failure.
    remove.reset()
    setDeleted(item)
  }
  const cell = (item: Item) => (
    <div className="flex flex-wrap justify-end gap-2 lg:flex-nowrap">
      <Button variant="quiet" size="small" aria-label={`Edit ${toName(item)}`} onClick={() => onEdit(item)}>
        Edit
      </Button>
      <Button variant="danger" size="small" aria-label={`Delete ${toName(item)}`} onClick={() => ask(item)}>
        Delete
      </Button>
    </div>
  )
  const column: Column<Item> = { head: 'Action', actions: true, cell }
  const question = deleted && (
    <ConfirmChange
      title={`Delete ${noun}`}
      change={remove}
      input={toInput(deleted)}
      done={`${capitalize(noun)} deleted`}
      onClose={() => setDeleted(null)}
    >
      {effect(deleted)}
    </ConfirmChange>
  )
  return { column, question }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
