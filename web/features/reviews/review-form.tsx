import { NewReview } from '../../../contract/reviews.ts'
import { call, isClientError, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { showToast } from '../../ui/toast.ts'

/** Review form. The server takes the author from the session. The input stays if sending fails. */
export function ReviewForm() {
  const { form, failure, formProps } = useCheckedForm({
    schema: NewReview,
    defaultValues: { designation: '', review: '' },
    isAboutValues: isClientError,
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
  const { register } = form
  const { errors, isSubmitting } = form.formState
  return (
    <form {...formProps} className="flex max-w-2xl flex-col gap-4">
      <TextField
        label="Designation"
        autoComplete="organization-title"
        hint="For example, Commuter"
        error={errors.designation?.message}
        {...register('designation')}
      />
      <TextArea label="Review" rows={6} error={errors.review?.message} {...register('review')} />
      {failure !== undefined && <Alert>{readMessage(failure)}</Alert>}
      <Button type="submit" size="large" busy={isSubmitting} className="self-start">
        Submit
      </Button>
    </form>
  )
}
