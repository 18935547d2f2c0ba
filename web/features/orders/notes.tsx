import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { formatMoment } from '../../../contract/dates.ts'
import { NewNote, type StaffNote } from '../../../contract/notes.ts'
import { call, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { useCheckedForm } from '../../ui/form.ts'
import { LeaveQuestion } from '../../ui/leave-question.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { refreshRow, useRefreshOrders } from './queries.ts'

/** A tag of a note, as a link to the orders that have it. */
export const Tag = ({ tag }: { tag: string }) => (
  <a
    href={`/dashboard/manage-orders?${new URLSearchParams({ tag })}`}
    className="rounded-control bg-shade px-1.5 py-0.5 text-sm font-semibold"
  >
    {tag}
  </a>
)

interface NotesProps {
  notes: StaffNote[]
  /** The order, or the email of the person. */
  subject: { orderId: string } | { email: string }
  heading: 'h2' | 'h3'
  /** Called with whether a new note is typed and not saved. */
  onUnsaved?: (isUnsaved: boolean) => void
}

const Typed = z.object({ body: NewNote.shape.body })

/** The notes of the staff about an order or a person. Buyers do not see them. */
export function Notes({ notes, subject, heading: Heading, onUnsaved }: NotesProps) {
  const client = useQueryClient()
  const refreshOrders = useRefreshOrders()
  const refresh = async () => {
    if ('orderId' in subject) void refreshRow(client, subject.orderId)
    await refreshOrders()
  }
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm({
    schema: Typed,
    defaultValues: { body: '' },
    resetOnSuccess: true,
    async send({ body }) {
      try {
        await call('addNote', { body: { ...subject, body } })
      } finally {
        // A note whose response got lost is in the list.
        await refresh()
      }
    },
  })
  const isUnsaved = form.formState.isDirty && !isSubmitting
  useEffect(() => onUnsaved?.(isUnsaved), [isUnsaved, onUnsaved])
  const remove = useMutation({
    mutationFn: (id: string) => call('removeNote', { params: { id } }),
    onSuccess: () => showToast('success', 'Note removed'),
    onSettled: refresh,
  })
  return (
    <section aria-label="Notes" className="mt-6">
      <Heading
        // A new one after a removal: the pressed button has disappeared with its note.
        key={notes.length}
        ref={remove.variables ? focusIfLost : undefined}
        tabIndex={-1}
        className="mb-3 font-display text-xl font-bold"
      >
        Notes
      </Heading>
      {notes.length > 0 && (
        <ul className="mb-4 divide-y divide-line border-y border-line">
          {notes.map(({ id, body, tags, at, by }) => (
            <li key={id} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-2.5">
              <div className="min-w-0 grow basis-48">
                <p className="whitespace-pre-line wrap-anywhere">{body}</p>
                <p className="flex flex-wrap items-center gap-2 text-sm text-quiet">
                  <span className="break-all">
                    {formatMoment(at)}, {by}
                  </span>
                  {tags.map((tag) => (
                    <Tag key={tag} tag={tag} />
                  ))}
                </p>
              </div>
              <BusyButton
                variant="quiet"
                size="small"
                busy={remove.isPending && remove.variables === id}
                aria-label={`Remove the note “${body.slice(0, 40)}”`}
                onClick={() => remove.mutate(id)}
              >
                Remove
              </BusyButton>
            </li>
          ))}
        </ul>
      )}
      {remove.isError && (
        <div className="mb-4">
          <Alert>{readMessage(remove.error)}</Alert>
        </div>
      )}
      <form {...formProps} className="flex flex-col items-start gap-3">
        <LeaveQuestion isUnsaved={isUnsaved} />
        <TextArea
          label="New note"
          rows={2}
          maxLength={1000}
          hint="Only staff see notes. Words with # are tags: #waiting"
          className="w-full"
          {...field('body')}
        />
        {failure !== undefined && <Alert>{readMessage(failure)}</Alert>}
        <BusyButton type="submit" variant="quiet" busy={isSubmitting}>
          Add note
        </BusyButton>
      </form>
    </section>
  )
}
