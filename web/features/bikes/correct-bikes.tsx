import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import * as z from 'zod/mini'
import { toYears } from '../../../contract/bike-urls.ts'
import {
  EditedMake,
  EditedModel,
  type ModelSlugs,
  NewBikes,
  type RemovedBikes,
  toModelRevision,
} from '../../../contract/bikes.ts'
import { pluralize } from '../../../contract/plurals.ts'
import { toOptionalWholeNumber } from '../../../contract/typed-numbers.ts'
import { ApiError, call, readMessage } from '../../api.ts'
import { readBody, useDraft } from '../../draft.ts'
import { toFields } from '../../editor-form.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { orNothing, useCheckedForm } from '../../ui/form.ts'
import { LeaveQuestion } from '../../ui/leave-question.tsx'
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
  const editor = useDraft({
    loaded: { value: { name }, version: name },
    read: (draft) => readBody(EditedMake, draft),
    save: async (body) => onSaved(await call('saveMake', { params: { make }, body })),
    savedText: 'Make renamed',
  })
  return (
    <CorrectionForm editor={editor} title="Rename this make" submit="Save make">
      <TextField
        label="Name of the make"
        className="w-full"
        hint={redirectHint}
        {...toFields(editor).text('name')}
      />
    </CorrectionForm>
  )
}

const redirectHint = 'This changes the URLs of its pages. The old URLs redirect.'

interface ModelFormProps {
  slugs: ModelSlugs
  name: string
  aliases: string[]
  /** Gets the present slugs. */
  onSaved: (saved: ModelSlugs) => Promise<void>
}

/** Renames a model, and edits its other names. */
export function ModelForm({ slugs, name, aliases, onSaved }: ModelFormProps) {
  const editor = useDraft({
    loaded: { value: { name, aliases: aliases.join('; ') }, version: toModelRevision(name, aliases) },
    read: (draft) => readBody(EditedModel, draft),
    save: async (body, revision) =>
      onSaved(await call('saveModel', { params: slugs, body: { ...body, revision } })),
    savedText: 'Model saved',
  })
  const { text } = toFields(editor)
  return (
    <CorrectionForm editor={editor} title="Edit this model" submit="Save model">
      <TextField label="Name of the model" className="w-full" hint={redirectHint} {...text('name')} />
      <TextField
        label="All other names"
        className="w-full"
        hint="For the search box, separated by semicolons: r6; yzfr6"
        {...text('aliases')}
      />
    </CorrectionForm>
  )
}

interface CorrectionFormProps {
  editor: Pick<ReturnType<typeof useDraft>, 'isDirty' | 'isSaving' | 'alert' | 'formProps'>
  title: string
  /** Text of the button. */
  submit: string
  children: ReactNode
}

function CorrectionForm({ editor, title, submit, children }: CorrectionFormProps) {
  const id = useId()
  return (
    <section className="max-w-wide" aria-labelledby={id}>
      <h2 id={id} className="mb-3 font-display text-2xl font-bold">
        {title}
      </h2>
      <form {...editor.formProps} className="flex flex-col items-start gap-4">
        <LeaveQuestion isUnsaved={editor.isDirty && !editor.isSaving} />
        {children}
        {editor.alert && <Alert>{editor.alert}</Alert>}
        <BusyButton type="submit" busy={editor.isSaving}>
          {submit}
        </BusyButton>
      </form>
    </section>
  )
}

const Years = z.pick(NewBikes, { yearFrom: true, yearTo: true, version: true })
type Years = z.infer<typeof Years>

interface RemoveBikesProps {
  slugs: ModelSlugs
  /** For example `Yamaha YZF-R6`. */
  name: string
  onRemoved: (left: RemovedBikes) => Promise<void>
}

/** Removes bikes of a model that nothing refers to, after a confirmation. */
export function RemoveBikes({ slugs, name, onRemoved }: RemoveBikesProps) {
  const [years, setYears] = useState<Years | null>(null)
  const { field, formProps } = useCheckedForm({
    schema: Years,
    async send(values) {
      setYears(values)
    },
  })
  return (
    <section className="max-w-wide" aria-labelledby="remove-bikes">
      <h2 id="remove-bikes" className="mb-1 font-display text-2xl font-bold">
        Remove bikes
      </h2>
      <p className="mb-3 text-quiet">
        You can remove bikes that are not used in a fitment, garage, cart or order.
      </p>
      <form {...formProps} className="grid gap-4 md:grid-cols-2 md:gap-x-6">
        <TextField
          label="Remove start year"
          inputMode="numeric"
          {...field('yearFrom', { setValueAs: toOptionalWholeNumber })}
        />
        <TextField
          label="Remove end year"
          inputMode="numeric"
          hint="Blank: one year"
          {...field('yearTo', { setValueAs: toOptionalWholeNumber })}
        />
        <TextField label="Version to remove" hint="Blank: all versions" {...field('version', orNothing)} />
        <div className="md:col-span-2">
          <Button type="submit" variant="danger">
            Remove bikes
          </Button>
        </div>
      </form>
      {years && (
        <RemoveDialog
          slugs={slugs}
          name={name}
          years={years}
          onRemoved={onRemoved}
          onClose={() => setYears(null)}
        />
      )}
    </section>
  )
}

interface RemoveDialogProps extends RemoveBikesProps {
  years: Years
  onClose: () => void
}

const readFailure = (error: unknown): string =>
  [readMessage(error), ...(error instanceof ApiError ? Object.values(error.fields) : [])].join(' ')

function RemoveDialog({ slugs, name, years, onRemoved, onClose }: RemoveDialogProps) {
  const { yearFrom, yearTo = yearFrom, version } = years
  const remove = useMutation({
    mutationFn: () => call('removeBikes', { query: { ...slugs, ...years } }),
    async onSuccess(left) {
      showToast('success', `Removed ${pluralize(left.removed, 'bike')}`)
      onClose()
      await onRemoved(left)
    },
  })
  return (
    <ConfirmDialog
      title="Remove bikes"
      busy={remove.isPending}
      failure={remove.isError ? readFailure(remove.error) : ''}
      onYes={() => remove.mutate()}
      onClose={onClose}
    >
      {toYears({ yearFrom, yearTo })} {name}, {version ? `version ${version}` : 'all versions'}
    </ConfirmDialog>
  )
}
