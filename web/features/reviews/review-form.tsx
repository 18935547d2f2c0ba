import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { NewReview } from '../../../contract/reviews.ts'
import { call, messageOf } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.ts'

/** A review; whose it is, the shop knows from the session. What was typed stays when it could not be sent. */
export function ReviewForm() {
  const { register, handleSubmit, reset, formState } = useForm<NewReview>({
    resolver: standardSchemaResolver(NewReview),
    defaultValues: { designation: '', review: '' },
  })
  const { errors } = formState
  const add = useMutation({
    mutationFn: (body: NewReview) => call('addReview', { body }),
    onError: () => showToast('error', 'Failed'),
  })
  const submit = handleSubmit((review) =>
    add.mutate(review, {
      onSuccess: () => {
        showToast('success', 'Review Submitted')
        reset()
      },
    }),
  )
  return (
    <form noValidate onSubmit={submit} className="flex max-w-2xl flex-col gap-4">
      <TextField
        label="Designation"
        autoComplete="organization-title"
        hint="How you ride, say: Commuter"
        error={errors.designation?.message}
        {...register('designation')}
      />
      <TextArea label="Review" rows={6} error={errors.review?.message} {...register('review')} />
      {add.isError && <Alert>{messageOf(add.error)}</Alert>}
      <Button type="submit" size="large" busy={add.isPending} className="self-start">
        Submit
      </Button>
    </form>
  )
}
