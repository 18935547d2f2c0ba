import { ChargePreviewRequest } from '../../../contract/charge-preview.ts'
import { formatDollars } from '../../../contract/money.ts'
import { parseOptionalDollars, toOptionalWholeNumber } from '../../../contract/typed-numbers.ts'
import { call, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { SectionHead } from '../../ui/page-head.tsx'
import { ChargeRows } from '../orders/charge-rows.tsx'

const preview = async (body: ChargePreviewRequest) => ({
  ...(await call('previewCharges', { body })),
  goods: body.goods,
})

/** Shows what an invented order would cost by the present rates. */
export function ChargePreview() {
  const { field, failure, result, isSubmitting, formProps } = useCheckedForm({
    schema: ChargePreviewRequest,
    send: preview,
  })
  return (
    <section aria-labelledby="preview" className="max-w-text pb-12">
      <SectionHead id="preview" title="Preview" />
      <form {...formProps} className="flex flex-col gap-4">
        <div className="grid gap-4 md:grid-cols-3">
          <TextField
            label="Goods"
            inputMode="decimal"
            autoComplete="off"
            hint="In dollars"
            {...field('goods', { setValueAs: parseOptionalDollars })}
          />
          <TextField
            label="Weight (optional)"
            inputMode="numeric"
            autoComplete="off"
            hint="In grams"
            {...field('weight', { setValueAs: toOptionalWholeNumber })}
          />
          <TextField
            label="Place"
            autoComplete="off"
            hint="For example: DE, US-NY 10001"
            {...field('place')}
          />
        </div>
        <BusyButton type="submit" variant="quiet" className="self-start" busy={isSubmitting}>
          Show charges
        </BusyButton>
        {failure !== undefined && <Alert>{readMessage(failure)}</Alert>}
      </form>
      <div aria-live="polite">{result && <Charges {...result} />}</div>
    </section>
  )
}

function Charges({ goods, charges, total, shippingOptions, problems }: Awaited<ReturnType<typeof preview>>) {
  if (problems.length > 0) {
    return problems.map(({ code, message }) => (
      <p key={code} className="mt-4 font-semibold text-bad">
        {message}
      </p>
    ))
  }
  return (
    <div className="mt-4 flex flex-col gap-3 rounded-card border border-line bg-surface p-5">
      {shippingOptions.length > 0 && (
        <ul>
          {shippingOptions.map(({ name, note, price }) => (
            <li key={name} className="flex items-baseline justify-between gap-4">
              <span className="min-w-0 wrap-anywhere">
                {name} {note && <span className="text-sm text-quiet">{note}</span>}
              </span>
              <span className="tabular-nums">{price === 0 ? 'Free' : formatDollars(price)}</span>
            </li>
          ))}
        </ul>
      )}
      <ChargeRows subtotal={goods} charges={charges} />
      <p className="flex items-baseline justify-between gap-4 border-t border-line pt-3">
        <span>Total</span>
        <strong className="tabular-nums">{formatDollars(total)}</strong>
      </p>
    </div>
  )
}
