import { Profile, sexes, type User } from '../../../contract/customers.ts'
import { isClientError, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { useUpdateProfile } from './queries.ts'

export interface ProfileFormProps {
  user: User
  onUpdated: () => void
  onCancel: () => void
}

/** Form for your own profile. All fields are optional; a blank field keeps its old value. */
export function ProfileForm({ user, onUpdated, onCancel }: ProfileFormProps) {
  const update = useUpdateProfile(user.email)
  const { name, birthday, phone, sex, bio, photo } = user
  const { form, failure, formProps } = useCheckedForm<Profile, void>({
    schema: Profile,
    defaultValues: { name, birthday, phone, sex, bio, photo },
    isAboutValues: isClientError,
    send: (profile) => update.mutateAsync(profile).then(onUpdated),
  })
  const { register } = form
  const { errors, isSubmitting } = form.formState
  return (
    <form {...formProps} className="grid max-w-3xl gap-4 md:grid-cols-2 md:gap-x-6">
      <TextField label="Full Name" autoComplete="name" error={errors.name?.message} {...register('name')} />
      <TextField
        label="Date of Birth"
        type="date"
        autoComplete="bday"
        error={errors.birthday?.message}
        {...register('birthday')}
      />
      <TextField
        label="Contact"
        type="tel"
        autoComplete="tel"
        error={errors.phone?.message}
        {...register('phone')}
      />
      <SelectField label="Sex" autoComplete="sex" error={errors.sex?.message} {...register('sex')}>
        <option value="">Not specified</option>
        {sexes.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
      <TextArea
        label="Bio"
        rows={4}
        className="md:col-span-2"
        error={errors.bio?.message}
        {...register('bio')}
      />
      <TextField
        label="Profile picture link"
        type="url"
        hint="Image URL"
        className="md:col-span-2"
        error={errors.photo?.message}
        {...register('photo')}
      />
      {failure !== undefined && (
        <div className="md:col-span-2">
          <Alert>{readMessage(failure)}</Alert>
        </div>
      )}
      <div className="flex gap-3 md:col-span-2">
        <Button type="submit" busy={isSubmitting}>
          Update
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
