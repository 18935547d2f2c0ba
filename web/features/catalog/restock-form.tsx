import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import type { Product } from '../../../contract/catalog.ts'
import { integer } from '../../../contract/fields.ts'
import { messageOf } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useRestock } from './queries.ts'

const schema = z.object({ delta: integer('A whole number is needed') })

/** Adds to the stock; a negative number corrects it. */
export function RestockForm({ product }: { product: Product }) {
  const restock = useRestock(product)
  const { register, handleSubmit, reset, formState } = useForm<{ delta: number }>({
    resolver: standardSchemaResolver(schema),
  })
  const submit = handleSubmit(({ delta }) => restock.mutate(delta, { onSuccess: () => reset() }))
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <TextField
          label="Restock Item"
          type="number"
          inputMode="numeric"
          placeholder="Quantity"
          required
          className="grow"
          error={formState.errors.delta?.message}
          {...register('delta', { valueAsNumber: true })}
        />
        <Button type="submit" look="ink" busy={restock.isPending} className="mt-6 h-12">
          Restock
        </Button>
      </div>
      {restock.isError && <Alert>{messageOf(restock.error)}</Alert>}
    </form>
  )
}
