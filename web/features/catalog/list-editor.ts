import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError, readMessage } from '../../api.ts'
import { showToast } from '../../ui/toasts.tsx'

/** Returns messages by the path of their value, such as `numbers.0.maker`. */
export const readIssues = (error: z.core.$ZodError | undefined): Record<string, string> =>
  Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]))

export interface RowFieldsProps<Row> {
  row: Row
  /** Position in the list, from 1. */
  number: number
  error: (name: string) => string | undefined
  onChange: (values: Partial<Row>) => void
  onRemove: () => void
}

interface ListEditorOptions<Row, Body> {
  /** Of the list in the body. */
  name: string
  load: () => Row[]
  schema: z.ZodMiniType<Body>
  save: UseMutationResult<unknown, Error, Body>
  savedText: string
  /** Called when unsaved changes begin and end. */
  onDirty: (isDirty: boolean) => void
}

/** A form with a list whose rows are edited as text. The next change clears the errors of an attempt to save. */
export function useListEditor<Row, Body>(options: ListEditorOptions<Row, Body>) {
  const { name, load, schema, save, savedText, onDirty } = options
  const [rows, setRows] = useState(() => load().map((row, key) => ({ ...row, key })))
  const [errors, setErrors] = useState<Record<string, string>>({})

  const edit = (change: () => void) => {
    // The saved list replaces this one.
    if (save.isPending) return
    change()
    setErrors({})
    save.reset()
    onDirty(true)
  }
  const submit = async (body: unknown) => {
    const { data, error } = schema.safeParse(body)
    setErrors(readIssues(error))
    if (!data) return
    try {
      await save.mutateAsync(data)
      showToast('success', savedText)
      onDirty(false)
    } catch (failure) {
      if (failure instanceof ApiError) setErrors(failure.fields)
    }
  }
  const invalid = Object.keys(errors).length > 0 ? 'Some values are not valid.' : ''
  return {
    rows,
    errors,
    failure: save.isError ? readMessage(save.error) : invalid,
    edit,
    addRow: (row: Row) =>
      edit(() => setRows((all) => [...all, { ...row, key: Math.max(-1, ...all.map(({ key }) => key)) + 1 }])),
    fields: rows.map((row, index) => ({
      row,
      number: index + 1,
      error: (column: string) => errors[`${name}.${index}.${column}`],
      onChange: (values: Partial<Row>) =>
        edit(() =>
          setRows((all) => all.map((each) => (each.key === row.key ? { ...each, ...values } : each))),
        ),
      onRemove: () => edit(() => setRows((all) => all.filter(({ key }) => key !== row.key))),
    })),
    toFormProps: (body: unknown) => ({
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit(body)
      },
    }),
  }
}
