import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { ApiError, call, isClientError, readMessage } from '../api.ts'
import { useUser } from '../features/identity/session.ts'
import { reviewAnchor } from '../features/reviews/review-grid.tsx'
import { formDraft } from '../form-draft.ts'
import { Alert, Notice } from '../ui/alert.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { useChangedValues, useCheckedForm } from '../ui/form.ts'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Add a Review' })

interface Sent {
  id: string
  /** Whether the list of reviews has it: a review without a text is not shown. */
  isShown: boolean
}

export default function AddReview() {
  const { name } = useUser()
  /** Undefined at first; null for another review. */
  const [sent, setSent] = useState<Sent | null>()
  return (
    <>
      <PageHead
        title="Add a Review"
        note={`It will appear on the Reviews page under ${name || 'your name'}.`}
      />
      {sent ? (
        <Thanks sent={sent} onAgain={() => setSent(null)} />
      ) : (
        <ReviewForm hasFocus={sent === null} onSent={setSent} />
      )}
    </>
  )
}

/** The length is the only rule of the fields, and its message is a sentence. */
function readSentence(error: unknown): string {
  const message = (error instanceof ApiError && Object.values(error.fields)[0]) || readMessage(error)
  if (isClientError(error)) return message
  return `${message} Your review may have been stored. Look at the Reviews page before you send it again.`
}

/** As specified, the form has no validation. The call limits the length. */
const AnyReview = z.object({ designation: z.string(), review: z.string() })

/** Review form. The server takes the author from the session. The input stays if sending fails, or the session ends. */
function ReviewForm({ hasFocus, onSent }: { hasFocus: boolean; onSent: (sent: Sent) => void }) {
  const draft = formDraft('review', useUser()._id, { designation: '', review: '' })
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm({
    schema: AnyReview,
    defaultValues: draft.read(),
    async send(body) {
      try {
        const { insertedId } = await call('addReview', { body })
        draft.remove()
        onSent({ id: insertedId, isShown: body.review.trim() !== '' })
      } catch (error) {
        showToast('error', 'Failed')
        throw error
      }
      showToast('success', 'Review Submitted')
    },
  })
  useChangedValues(form, draft.store)
  const { setFocus } = form
  useEffect(() => {
    if (hasFocus) setFocus('designation')
  }, [hasFocus, setFocus])
  return (
    <form {...formProps} className="flex max-w-wide flex-col gap-4">
      <TextField
        label="Designation"
        autoComplete="organization-title"
        hint="For example, Commuter"
        {...field('designation')}
      />
      <TextArea label="Review" rows={6} {...field('review')} />
      {failure !== undefined && <Alert>{readSentence(failure)}</Alert>}
      <BusyButton type="submit" size="large" busy={isSubmitting} className="self-start">
        Submit
      </BusyButton>
    </form>
  )
}

/** Replaces the form after a success. */
const Thanks = ({ sent: { id, isShown }, onAgain }: { sent: Sent; onAgain: () => void }) => (
  <div className="flex max-w-wide flex-col items-start gap-6">
    <Notice title="Thank you for your review">
      {isShown ? (
        <p>
          Other riders can read it now.{' '}
          <a href={`/reviews#${reviewAnchor(id)}`} className="font-semibold text-signal underline">
            See your review
          </a>
        </p>
      ) : (
        <p>It has no text, so it is not on the Reviews page.</p>
      )}
    </Notice>
    <Button variant="quiet" onClick={onAgain}>
      Write another review
    </Button>
  </div>
)
