import * as z from 'zod/mini'
import { type Product, StockChange } from '../../../contract/catalog.ts'
import { isClientError } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { intoView } from '../../ui/into-view.ts'
import { ChangeFailure } from './change-failure.tsx'
import { useRestock } from './changes.ts'

const Restock = z.object({ quantity: StockChange.shape.quantity })

/** Adds pieces to the stock; a negative number removes them. */
export function RestockForm({ product }: { product: Product }) {
  const restock = useRestock(product)
  const { form, failure, result, formProps } = useCheckedForm({
    schema: Restock,
    isAboutValues: isClientError,
    resetOnSuccess: true,
    send: ({ quantity }) => restock.mutateAsync(quantity),
  })
  const { errors, isSubmitting } = form.formState
  return (
    <form {...formProps}>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 font-display text-xl font-bold">Restock Item</legend>
        <div className="flex items-start gap-3">
          <TextField
            label="Quantity"
            // No `inputMode`: the numeric keypad has no minus key.
            type="number"
            placeholder="Quantity"
            required
            className="grow"
            error={errors.quantity?.message}
            {...form.register('quantity', { valueAsNumber: true })}
          />
          <Button type="submit" variant="ink" busy={isSubmitting} className="mt-6 h-12">
            Restock
          </Button>
        </div>
        {failure !== undefined && <ChangeFailure error={failure} checkHint="the stock" />}
        <p role="status" className="text-sm font-semibold text-good empty:hidden">
          {result && <span ref={intoView}>{restocked(result)}</span>}
        </p>
      </fieldset>
    </form>
  )
}

function restocked({ delta, stock }: { delta: number; stock: number }): string {
  const done = delta > 0 ? `${delta} added` : delta < 0 ? `${-delta} removed` : 'Nothing changed'
  return `${done}: ${stock} pcs in stock.`
}
