import { useState } from 'react'
import { type Coupon, EditedCoupon } from '../../../contract/coupons.ts'
import {
  parseOptionalDollars,
  toOptionalWholeNumber,
  toPlainDollars,
} from '../../../contract/typed-numbers.ts'
import { latestTime } from '../../day-range.ts'
import { type Reading, readBody, rebaseFields, useDraft } from '../../draft.ts'
import { EditorForm, toFields, toNumber } from '../../editor-form.tsx'
import { CheckboxField, SelectField, TextField } from '../../ui/field.tsx'
import { useSaveCoupon } from './queries.ts'

/** A code as it is typed. Times are in the time zone of the browser. */
interface Draft {
  code: string
  kind: string
  rate: string
  amount: string
  minGoods: string
  productKind: string
  brand: string
  startsAt: string
  endsAt: string
  maxUses: string
  oncePerBuyer: boolean
}

const empty: Draft = {
  code: '',
  kind: 'percent',
  rate: '',
  amount: '',
  minGoods: '',
  productKind: '',
  brand: '',
  startsAt: '',
  endsAt: '',
  maxUses: '',
  oncePerBuyer: false,
}

const toDollarText = (dollars: number | undefined) => (dollars === undefined ? '' : toPlainDollars(dollars))

/** Converts ISO 8601 to the value of an input for the time in the time zone of the browser. */
function toLocal(time: string | undefined): string {
  if (time === undefined) return ''
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const toDraft = (coupon: Coupon): Draft => ({
  code: coupon.code,
  kind: coupon.kind,
  rate: coupon.rate?.toString() ?? '',
  amount: toDollarText(coupon.amount),
  minGoods: toDollarText(coupon.minGoods),
  productKind: coupon.productKind ?? '',
  brand: coupon.brand ?? '',
  startsAt: toLocal(coupon.startsAt),
  endsAt: toLocal(coupon.endsAt),
  maxUses: coupon.maxUses?.toString() ?? '',
  oncePerBuyer: coupon.oncePerBuyer,
})

/**
 * An unedited time stays as it is `stored`: its text has no seconds, and is ambiguous in the hour that a clock change
 * repeats. A text that is not valid, such as a year with five digits, stays as it is: it is refused at its field.
 */
function toTime(local: string, stored: string | undefined): string | undefined {
  if (local === '') return undefined
  if (local === toLocal(stored)) return stored
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? local : date.toISOString()
}

/**
 * Returns the code that a draft means, or the errors of the draft.
 *
 * @param coupon the stored code; undefined for a new one
 */
export const readDraft = (draft: Draft, coupon: Coupon | undefined): Reading<EditedCoupon> =>
  readBody(EditedCoupon, {
    code: draft.code,
    kind: draft.kind,
    rate: draft.kind === 'percent' ? toNumber(draft.rate) : undefined,
    amount: draft.kind === 'amount' ? parseOptionalDollars(draft.amount) : undefined,
    minGoods: parseOptionalDollars(draft.minGoods),
    // A code for free shipping does not depend on single products.
    productKind: draft.kind === 'shipping' ? undefined : draft.productKind,
    brand: draft.kind === 'shipping' ? undefined : draft.brand,
    startsAt: toTime(draft.startsAt, coupon?.startsAt),
    endsAt: toTime(draft.endsAt, coupon?.endsAt),
    maxUses: toOptionalWholeNumber(draft.maxUses),
    oncePerBuyer: draft.oncePerBuyer,
  })

interface CouponEditorProps {
  /** The code to edit; undefined for a new one. */
  coupon: Coupon | undefined
  onClose: () => void
}

/** Edits a discount code. */
export function CouponEditor({ coupon, onClose }: CouponEditorProps) {
  const [id] = useState(() => coupon?.id ?? crypto.randomUUID())
  const save = useSaveCoupon(id)
  const editor = useDraft({
    loaded: { value: coupon ? toDraft(coupon) : empty, version: coupon?.revision ?? '' },
    read: (draft) => readDraft(draft, coupon),
    save: async (body, revision) => {
      await save.mutateAsync({ ...body, revision })
      onClose()
    },
    savedText: 'Code saved',
    rebase: rebaseFields,
  })
  const { text, checkbox, set } = toFields(editor)
  const { kind } = editor.draft
  return (
    <EditorForm editor={editor} noun="code" onClose={onClose}>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label="Code"
          autoCapitalize="characters"
          hint="At least 6 letters and digits. Case, spaces and dashes do not matter."
          {...text('code')}
        />
        <SelectField label="Kind" value={kind} onChange={(event) => set({ kind: event.target.value })}>
          <option value="percent">Percentage</option>
          <option value="amount">Amount</option>
          <option value="shipping">Free shipping</option>
        </SelectField>
        {kind === 'percent' && (
          <TextField label="Rate" inputMode="decimal" hint="In per cent" {...text('rate')} />
        )}
        {kind === 'amount' && (
          <TextField label="Amount" inputMode="decimal" hint="In dollars" {...text('amount')} />
        )}
        {kind === 'shipping' && (
          <p className="self-center text-quiet">
            Takes off the price of the cheapest shipping method. Buyers of a faster one pay the difference.
          </p>
        )}
        <TextField
          label="Minimum order (optional)"
          inputMode="decimal"
          hint="In dollars, before the discount"
          {...text('minGoods')}
        />
        {kind !== 'shipping' && (
          <>
            <TextField
              label="Only kind of part (optional)"
              hint="For example: Jackets"
              {...text('productKind')}
            />
            <TextField label="Only brand (optional)" hint="Same as its products" {...text('brand')} />
          </>
        )}
        <TextField label="Starts (optional)" type="datetime-local" max={latestTime} {...text('startsAt')} />
        <TextField label="Ends (optional)" type="datetime-local" max={latestTime} {...text('endsAt')} />
        <TextField
          label="Maximum uses (optional)"
          inputMode="numeric"
          hint="An order that is cancelled gives its use back"
          {...text('maxUses')}
        />
      </div>
      <CheckboxField label="Each buyer can use it once" {...checkbox('oncePerBuyer')} />
    </EditorForm>
  )
}
