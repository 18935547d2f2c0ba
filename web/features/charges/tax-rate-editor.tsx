import { useState } from 'react'
import { EditedTaxRate, type TaxRate } from '../../../contract/tax.ts'
import { type Reading, readBody, rebaseFields, useDraft } from '../../draft.ts'
import { EditorForm, toFields, toNumber } from '../../editor-form.tsx'
import { CheckboxField, TextField } from '../../ui/field.tsx'
import { useSaveTaxRate } from './queries.ts'

/** A rate as it is typed. */
interface Draft {
  place: string
  label: string
  rate: string
  included: boolean
  taxesShipping: boolean
}

const empty: Draft = { place: '', label: '', rate: '', included: false, taxesShipping: true }

const readDraft = (draft: Draft): Reading<EditedTaxRate> =>
  readBody(EditedTaxRate, { ...draft, rate: toNumber(draft.rate) })

interface TaxRateEditorProps {
  /** The rate to edit; undefined for a new one. */
  rate: TaxRate | undefined
  onClose: () => void
}

/** Edits a tax rate. */
export function TaxRateEditor({ rate, onClose }: TaxRateEditorProps) {
  const [id] = useState(() => rate?.id ?? crypto.randomUUID())
  const save = useSaveTaxRate(id)
  const editor = useDraft({
    loaded: { value: rate ? { ...rate, rate: String(rate.rate) } : empty, version: rate?.revision ?? '' },
    read: readDraft,
    save: async (body, revision) => {
      await save.mutateAsync({ ...body, revision })
      onClose()
    },
    savedText: 'Tax rate saved',
    rebase: rebaseFields,
  })
  const { text, checkbox } = toFields(editor)
  return (
    <EditorForm editor={editor} noun="tax rate" onClose={onClose}>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label="Place"
          hint="A country, a region or a postal code, such as DE, US-NY or US 100. The most specific place applies."
          {...text('place')}
        />
        <TextField
          label="Label"
          hint="Buyers see it with the rate, for example: Sales tax (NY)"
          {...text('label')}
        />
        <TextField label="Rate" inputMode="decimal" hint="In per cent, such as 8.875" {...text('rate')} />
      </div>
      <div className="flex flex-col">
        <CheckboxField label="The prices of the shop include this tax" {...checkbox('included')} />
        <CheckboxField label="Shipping is taxed too" {...checkbox('taxesShipping')} />
      </div>
    </EditorForm>
  )
}
