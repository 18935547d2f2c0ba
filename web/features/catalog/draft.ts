import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
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

/** The unsaved input of one editor of a page. */
export interface UnsavedPart {
  /** Such as `2 fitments`. */
  text: string
  /** Returns false if it is not saved; the editor shows the error. */
  save: () => Promise<boolean>
}
/** Called when the unsaved input of an editor changes; null if there is none. */
export type ReportUnsaved = (part: UnsavedPart | null) => void

/** @param text empty if everything is saved */
export function useUnsavedPart(report: ReportUnsaved, text: string, save: () => Promise<boolean>): void {
  const latest = useRef(save)
  useLayoutEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    if (!text) return
    report({ text, save: () => latest.current() })
    return () => report(null)
  }, [report, text])
}

interface ListEditorOptions<Row, Body> {
  /** Of the list in the body. */
  name: string
  load: () => Row[]
  schema: z.ZodMiniType<Body>
  save: UseMutationResult<unknown, Error, Body>
  savedText: string
  /** For example `fitment`, and `fitments`. */
  nouns: [one: string, many: string]
}

/** Counts the rows that are added, removed or different. */
function countChanges<Row extends { key: number }>(loaded: Row[], rows: Row[]): number {
  const before = new Map(loaded.map((row) => [row.key, JSON.stringify(row)]))
  const same = rows.filter((row) => before.get(row.key) === JSON.stringify(row)).length
  const stored = rows.filter(({ key }) => before.has(key)).length
  return rows.length - same + (loaded.length - stored)
}

/** A form with a list whose rows are edited as text. The next change clears the errors of an attempt to save. */
export function useListEditor<Row, Body>(options: ListEditorOptions<Row, Body>) {
  const { name, load, schema, save, savedText, nouns } = options
  const [loaded] = useState(() => load().map((row, key) => ({ ...row, key })))
  const [rows, setRows] = useState(loaded)
  const [isEdited, setEdited] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})

  const edit = (change: () => void) => {
    // The saved list replaces this one.
    if (save.isPending) return
    change()
    setErrors({})
    save.reset()
    setEdited(true)
  }
  const submit = async (body: unknown) => {
    const { data, error } = schema.safeParse(body)
    setErrors(readIssues(error))
    if (!data) return false
    try {
      await save.mutateAsync(data)
      showToast('success', savedText)
      setEdited(false)
      return true
    } catch (failure) {
      if (failure instanceof ApiError) setErrors(failure.fields)
      return false
    }
  }
  const changed = countChanges(loaded, rows)
  const [one, many] = nouns
  const text = changed === 0 ? many : changed === 1 ? `1 ${one}` : `${changed} ${many}`
  const invalid = Object.keys(errors).length > 0 ? 'Some values are not valid.' : ''
  return {
    rows,
    errors,
    submit,
    unsavedText: isEdited ? text : '',
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
