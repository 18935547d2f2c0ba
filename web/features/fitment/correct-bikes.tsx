import { EditedMake, EditedModel, type ModelSlugs } from '../../../contract/fitment.ts'
import { ApiError, call, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { showToast } from '../../ui/toasts.tsx'

interface MakeFormProps {
  /** Its slug. */
  make: string
  name: string
  /** Gets the present slug. */
  onSaved: (saved: { make: string }) => Promise<void>
}

/** Renames a make. */
export function MakeForm({ make, name, onSaved }: MakeFormProps) {
  const { field, failure, isSubmitting, formProps } = useCheckedForm({
    schema: EditedMake,
    values: { name },
    async send(body) {
      const saved = await call('saveMake', { params: { make }, body })
      showToast('success', 'Make saved')
      await onSaved(saved)
    },
  })
  return (
    <section className="max-w-wide" aria-labelledby="rename-make">
      <h2 id="rename-make" className="mb-3 font-display text-2xl font-bold">
        Rename this make
      </h2>
      <form {...formProps} className="flex flex-col items-start gap-4">
        <TextField label="Name of the make" className="w-full" hint={redirectHint} {...field('name')} />
        {failure !== undefined && <Alert>{readFailure(failure)}</Alert>}
        <Button type="submit" busy={isSubmitting}>
          Save make
        </Button>
      </form>
    </section>
  )
}

const redirectHint = 'The addresses of its pages change with it. The earlier ones redirect.'

const readFailure = (error: unknown): string =>
  [readMessage(error), ...(error instanceof ApiError ? Object.values(error.fields) : [])].join(' ')

interface ModelFormProps {
  slugs: ModelSlugs
  name: string
  aliases: string[]
  /** Gets the present slugs. */
  onSaved: (saved: ModelSlugs) => Promise<void>
}

/** Renames a model, and edits its other names. */
export function ModelForm({ slugs, name, aliases, onSaved }: ModelFormProps) {
  const { field, failure, isSubmitting, formProps } = useCheckedForm({
    schema: EditedModel,
    values: { name, aliases: aliases.join('; ') },
    async send(body) {
      const saved = await call('saveModel', { params: slugs, body })
      showToast('success', 'Model saved')
      await onSaved(saved)
    },
  })
  return (
    <section className="max-w-wide" aria-labelledby="edit-model">
      <h2 id="edit-model" className="mb-3 font-display text-2xl font-bold">
        Edit this model
      </h2>
      <form {...formProps} className="flex flex-col items-start gap-4">
        <TextField label="Name of the model" className="w-full" hint={redirectHint} {...field('name')} />
        <TextField
          label="All other names"
          className="w-full"
          hint="For the search box, separated by semicolons: r6; yzfr6"
          {...field('aliases')}
        />
        {failure !== undefined && <Alert>{readFailure(failure)}</Alert>}
        <Button type="submit" busy={isSubmitting}>
          Save model
        </Button>
      </form>
    </section>
  )
}
