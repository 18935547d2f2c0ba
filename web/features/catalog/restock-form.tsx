import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { type Product, StockChange } from '../../../contract/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { intoView } from '../../ui/into-view.ts'
import { ChangeFailure } from './change-failure.tsx'
import { useRestock } from './changes.ts'

const Restock = z.object({ quantity: StockChange.shape.quantity })

/** Adds to the stock; a negative number corrects it. */
export function RestockForm({ product }: { product: Product }) {
  const restock = useRestock(product)
  const { register, handleSubmit, reset, formState } = useForm<z.infer<typeof Restock>>({
    resolver: standardSchemaResolver(Restock),
  })
  const submit = handleSubmit(({ quantity }) => restock.mutate(quantity, { onSuccess: () => reset() }))
  return (
    <form noValidate onSubmit={submit}>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 font-display text-xl font-bold">Restock Item</legend>
        <div className="flex items-start gap-3">
          <TextField
            label="Quantity"
            // No `inputMode`: the keypad of digits has no minus.
            type="number"
            placeholder="Quantity"
            required
            className="grow"
            error={formState.errors.quantity?.message}
            {...register('quantity', { valueAsNumber: true })}
          />
          <Button type="submit" look="ink" busy={restock.isPending} className="mt-6 h-12">
            Restock
          </Button>
        </div>
        {restock.isError && <ChangeFailure error={restock.error} look="at the stock" />}
        <p role="status" className="text-sm font-semibold text-good empty:hidden">
          {restock.data && (
            <span key={restock.submittedAt} ref={intoView}>
              {restocked(restock.data)}
            </span>
          )}
        </p>
      </fieldset>
    </form>
  )
}

function restocked({ delta, stock }: { delta: number; stock: number }): string {
  const done = delta > 0 ? `${delta} added` : delta < 0 ? `${-delta} taken out` : 'Nothing changed'
  return `${done}: ${stock} pcs in stock.`
}
