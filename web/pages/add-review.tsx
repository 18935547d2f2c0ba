import * as z from 'zod/mini'
import { ApiError, call, readMessage } from '../api.ts'
import { useUser } from '../features/identity/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { useCheckedForm } from '../ui/form.ts'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Add a Review' })

export default function AddReview() {
  const { name } = useUser()
  return (
    <>
      <PageHead
        title="Add a Review"
        note={`It will appear on the Reviews page under ${name || 'your name'}.`}
      />
      <ReviewForm />
    </>
  )
}

/** The length is the only rule of the fields, and its message is a sentence. */
const readSentence = (error: unknown): string =>
  (error instanceof ApiError && Object.values(error.fields)[0]) || readMessage(error)

/** As specified, the form has no validation. The call limits the length. */
const AnyReview = z.object({ designation: z.string(), review: z.string() })

/** Review form. The server takes the author from the session. The input stays if sending fails. */
function ReviewForm() {
  const { field, failure, isSubmitting, formProps } = useCheckedForm({
    schema: AnyReview,
    defaultValues: { designation: '', review: '' },
    resetOnSuccess: true,
    async send(body) {
      try {
        await call('addReview', { body })
      } catch (error) {
        showToast('error', 'Failed')
        throw error
      }
      showToast('success', 'Review Submitted')
    },
  })
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
      <Button type="submit" size="large" busy={isSubmitting} className="self-start">
        Submit
      </Button>
    </form>
  )
}
