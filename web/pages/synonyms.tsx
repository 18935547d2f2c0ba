import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EditedSynonyms, type Synonyms } from '../../contract/synonyms.ts'
import { call } from '../api.ts'
import { type Reading, readBody, useDraft } from '../draft.ts'
import { EditedList } from '../edited-list.tsx'
import { EditorForm, toFields } from '../editor-form.tsx'
import { useListChange } from '../list-change.ts'
import type { Column } from '../ui/data-table.tsx'
import { TextArea } from '../ui/field.tsx'
import { PageHead, SectionHead } from '../ui/page-head.tsx'

export const meta = () => ({ title: 'Search Words' })

const synonymsQuery = queryOptions({
  queryKey: ['synonyms'],
  queryFn: ({ signal }) => call('listSynonyms', { signal }),
})

/** The words for the same thing in a search. An editor replaces the lists. */
export default function SearchWords() {
  const added = useQuery({ ...synonymsQuery, select: (list) => list.added })
  const { data: list } = useQuery(synonymsQuery)
  const remove = useListChange(synonymsQuery.queryKey, (id: string) =>
    call('deleteSynonyms', { params: { id } }),
  )
  const [edited, setEdited] = useState<Synonyms | 'new' | null>(null)
  if (edited) {
    return (
      <>
        <PageHead title={edited === 'new' ? 'Add Group' : 'Edit Group'} />
        <Editor group={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />
      </>
    )
  }
  return (
    <>
      <PageHead
        title="Search Words"
        note="The phrases of a group mean the same: a search for one of them finds the products with any of them."
      />
      <EditedList
        title="Your groups"
        noun="group"
        list={added}
        columns={columns}
        toName={toText}
        empty="Add a group if riders search with words that your products do not have, for example: sissy bar, backrest."
        deletion="A search for one of these phrases no longer finds the products with the others."
        onEdit={(group) => setEdited(group ?? 'new')}
        remove={remove}
      />
      {list && (
        <section aria-labelledby="shipped" className="pb-12">
          <SectionHead id="shipped" title="Groups of the shop" />
          <p className="mb-5 max-w-text text-quiet">They come with the shop and cannot be changed here.</p>
          <ul className="max-w-text divide-y divide-line">
            {list.shipped.map((phrases) => (
              <li key={phrases[0]} className="py-2 wrap-anywhere">
                {phrases.join(', ')}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const toText = ({ phrases }: EditedSynonyms) => phrases.join(', ')

const columns: Column<Synonyms>[] = [
  {
    head: 'Phrases',
    names: true,
    cell: (group) => <span className="wrap-anywhere">{toText(group)}</span>,
  },
]

/** A group as it is typed. */
interface Draft {
  phrases: string
}

/** Returns the group that a draft means, or the errors of the draft. */
function readDraft(draft: Draft): Reading<EditedSynonyms> {
  const phrases = draft.phrases.split(/[,\n]/).filter((phrase) => phrase.trim() !== '')
  const read = readBody(EditedSynonyms, { phrases })
  if (!read.errors) return read
  const [message = ''] = Object.values(read.errors)
  return { errors: { phrases: message } }
}

interface EditorProps {
  /** The group to edit; undefined for a new one. */
  group: Synonyms | undefined
  onClose: () => void
}

function Editor({ group, onClose }: EditorProps) {
  const [id] = useState(() => group?.id ?? crypto.randomUUID())
  const save = useListChange(synonymsQuery.queryKey, (body: EditedSynonyms) =>
    call('saveSynonyms', { params: { id }, body }),
  )
  const editor = useDraft({
    loaded: { value: { phrases: group ? toText(group) : '' }, version: group?.revision ?? '' },
    read: readDraft,
    save: async (body, revision) => {
      await save.mutateAsync({ ...body, revision })
      onClose()
    },
    savedText: 'Group saved',
  })
  return (
    <EditorForm editor={editor} noun="group" onClose={onClose}>
      <TextArea
        label="Phrases"
        rows={3}
        hint="2 to 20, separated by commas, for example: sissy bar, backrest. Case, plural and spaces do not matter."
        {...toFields(editor).text('phrases')}
      />
    </EditorForm>
  )
}
