import { useState } from 'react'
import { EditedShippingRate, type ShippingRate } from '../../../contract/shipping.ts'
import {
  parseOptionalDollars,
  toOptionalWholeNumber,
  toPlainDollars,
} from '../../../contract/typed-numbers.ts'
import { type Reading, readBody, rebaseFields, useDraft } from '../../draft.ts'
import { EditorForm, toFields } from '../../editor-form.tsx'
import { CheckboxField, TextArea, TextField } from '../../ui/field.tsx'
import { useSaveShippingRate } from './queries.ts'

/** A rate as it is typed. */
interface Draft {
  name: string
  note: string
  places: string
  maxWeight: string
  price: string
  freeFrom: string
  isPickup: boolean
  pickupPlace: string
  position: string
}

const toDraft = (rate: ShippingRate): Draft => ({
  name: rate.name,
  note: rate.note ?? '',
  places: rate.places.join(', '),
  maxWeight: rate.maxWeight?.toString() ?? '',
  price: toPlainDollars(rate.price),
  freeFrom: rate.freeFrom === undefined ? '' : toPlainDollars(rate.freeFrom),
  isPickup: rate.pickupPlace !== undefined,
  pickupPlace: rate.pickupPlace ?? '',
  position: String(rate.position),
})

/** Returns the rate that a draft means, or the errors of the draft. */
function readDraft(draft: Draft): Reading<EditedShippingRate> {
  const read = readBody(EditedShippingRate, {
    name: draft.name,
    note: draft.note,
    places: draft.places.split(/[,\n]/).filter((place) => place.trim() !== ''),
    maxWeight: toOptionalWholeNumber(draft.maxWeight),
    price: parseOptionalDollars(draft.price),
    freeFrom: parseOptionalDollars(draft.freeFrom),
    // A blank place of a pickup is an error.
    pickupPlace: draft.isPickup ? draft.pickupPlace : undefined,
    position: toOptionalWholeNumber(draft.position),
  })
  if (!read.errors) return read
  const placeError = Object.entries(read.errors).find(([path]) => path.startsWith('places'))?.[1]
  return { errors: placeError ? { ...read.errors, places: placeError } : read.errors }
}

interface ShippingRateEditorProps {
  /** The rate to edit; undefined for a new one. */
  rate: ShippingRate | undefined
  /** Position of a new rate. */
  nextPosition: number
  onClose: () => void
}

/** Edits a shipping rate. */
export function ShippingRateEditor({ rate, nextPosition, onClose }: ShippingRateEditorProps) {
  const [id] = useState(() => rate?.id ?? crypto.randomUUID())
  const save = useSaveShippingRate(id)
  const [empty] = useState<Draft>({
    name: '',
    note: '',
    places: '',
    maxWeight: '',
    price: '',
    freeFrom: '',
    isPickup: false,
    pickupPlace: '',
    position: String(nextPosition),
  })
  const editor = useDraft({
    loaded: { value: rate ? toDraft(rate) : empty, version: rate?.revision ?? '' },
    read: readDraft,
    save: async (body, revision) => {
      await save.mutateAsync({ ...body, revision })
      onClose()
    },
    savedText: 'Shipping rate saved',
    rebase: rebaseFields,
  })
  const { text, checkbox } = toFields(editor)
  return (
    <EditorForm editor={editor} noun="shipping rate" onClose={onClose}>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="Name" hint="Buyers see it. Rates with one name are one option." {...text('name')} />
        <TextField label="Note (optional)" hint="For example: 3–5 business days" {...text('note')} />
        <TextField label="Price" inputMode="decimal" hint="In dollars; 0 is free" {...text('price')} />
        <TextField
          label="Free from (optional)"
          inputMode="decimal"
          hint="Free if the goods cost at least this"
          {...text('freeFrom')}
        />
        <TextField
          label="Maximum weight (optional)"
          inputMode="numeric"
          hint="In grams; blank for any weight"
          {...text('maxWeight')}
        />
        <TextField
          label="Position"
          inputMode="numeric"
          hint="Lower numbers come first"
          {...text('position')}
        />
        <TextArea
          label="Places (optional)"
          rows={3}
          hint="Countries, regions or postal codes, such as US, US-NY or US 100. Blank: everywhere. The most specific place applies."
          className="md:col-span-2"
          {...text('places')}
        />
      </div>
      <div className="flex flex-col gap-4">
        <CheckboxField label="The buyer collects the order" {...checkbox('isPickup')} />
        {editor.draft.isPickup && (
          <TextField
            label="Place of the pickup"
            hint="For the tax, such as US-TX or US-TX 78701"
            {...text('pickupPlace')}
          />
        )}
      </div>
    </EditorForm>
  )
}
