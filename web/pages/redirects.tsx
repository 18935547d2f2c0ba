import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EditedRedirect, type Redirect } from '../../contract/documents.ts'
import { readBody, useDraft } from '../draft.ts'
import { useEditActions } from '../edited-list.tsx'
import { EditorForm, toFields } from '../editor-form.tsx'
import { ContentTabs } from '../features/content/content-tabs.tsx'
import { redirectPageQuery, useDeleteRedirect, useSaveRedirect } from '../features/content/queries.ts'
import { ListView, useListParams } from '../list-view.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { TextField } from '../ui/field.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Redirects' })

/** Old addresses and where they lead. The editor replaces the list. */
export default function Redirects() {
  const params = useListParams()
  const { page, pageSize, q } = params.toQuery([])
  const list = useQuery(redirectPageQuery({ page, pageSize, q }))
  const [edited, setEdited] = useState<Redirect | 'new' | null>(null)
  const { column, question } = useEditActions<Redirect>({
    noun: 'redirect',
    toName: ({ path }) => path,
    toInput: ({ path }) => path,
    effect: ({ path }) => `Visitors of ${path} will see that the page is missing.`,
    onEdit: setEdited,
    remove: useDeleteRedirect(),
  })
  if (edited) {
    return (
      <>
        <PageHead title={edited === 'new' ? 'Add Redirect' : 'Edit Redirect'} />
        <Editor redirect={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />
      </>
    )
  }
  const add = (
    <>
      <Button onClick={() => setEdited('new')}>Add redirect</Button>
      <LinkButton href="/dashboard/import-products?kind=redirects" variant="quiet">
        Import a file
      </LinkButton>
    </>
  )
  return (
    <>
      <PageHead title="Redirects" note="They lead visitors of old addresses to their present page.">
        <div className="flex flex-wrap items-end gap-3">
          <SearchBox label="Search redirects" value={params.q} onSearch={params.search} />
          {add}
        </div>
      </PageHead>
      <ContentTabs shown="Redirects" />
      <ListView
        caption="Redirects"
        failure="The redirects could not be loaded"
        list={list}
        columns={[...columns, column]}
        rowKey={({ path }) => path}
        params={params}
        searched="redirect"
        empty={
          <EmptyState title="No redirects yet" action={add}>
            Add the addresses of your earlier shop. A page that you rename gets its redirect automatically.
          </EmptyState>
        }
      />
      {question}
    </>
  )
}

const sourceNames = { renamed: 'Renamed page', file: 'Import', admin: 'Added' }

const columns: Column<Redirect>[] = [
  { head: 'Old address', names: true, cell: ({ path }) => <span className="wrap-anywhere">{path}</span> },
  {
    head: 'New address',
    cell: ({ target }) => (
      <a href={target} className="wrap-anywhere text-signal underline">
        {target}
      </a>
    ),
  },
  { head: 'Reason', cell: ({ source }) => sourceNames[source] },
]

interface EditorProps {
  /** The redirect to edit; undefined for a new one. */
  redirect: Redirect | undefined
  onClose: () => void
}

function Editor({ redirect, onClose }: EditorProps) {
  const save = useSaveRedirect()
  const editor = useDraft({
    loaded: {
      value: { path: redirect?.path ?? '', target: redirect?.target ?? '' },
      version: redirect?.path ?? '',
    },
    read: (draft) => readBody(EditedRedirect, draft),
    save: async (body) => {
      await save.mutateAsync(body)
      onClose()
    },
    savedText: 'Redirect saved',
  })
  const { text } = toFields(editor)
  return (
    <EditorForm editor={editor} noun="redirect" onClose={onClose}>
      <TextField
        label="Old address"
        hint="The path of the earlier page, for example: /products/touring-jacket"
        readOnly={redirect !== undefined}
        {...text('path')}
      />
      <TextField
        label="New address"
        hint="A path of this shop, for example: /pages/shipping or /products?kind=Chains"
        {...text('target')}
      />
    </EditorForm>
  )
}
