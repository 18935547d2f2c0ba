import { useWatch } from 'react-hook-form'
import type { Product } from '../../../contract/catalog.ts'
import type { User } from '../../../contract/customers.ts'
import { formatDollars } from '../../../contract/money.ts'
import { isClientError } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { OptionsFields } from './options-fields.tsx'
import { usePlaceOrder } from './place-order.ts'
import { getOpenAttemptValues } from './purchase-attempt.ts'
import { PurchaseFailure } from './purchase-failure.tsx'
import { emptyPurchase, type PurchaseValues, purchaseSchema } from './purchase-values.ts'
import { QuantityField } from './quantity-field.tsx'

export interface PurchaseFormProps {
  product: Product
  user: User
  onPlaced: (placed: { optionsSaved: boolean }) => void
  /** Called after a failed order, because the product may have changed. */
  onOutdated: () => Promise<unknown>
}

/** Order form. The total follows the quantity. */
export function PurchaseForm({ product, user, onPlaced, onOutdated }: PurchaseFormProps) {
  const place = usePlaceOrder(product, user)
  const { form, failure, submit, formProps } = useCheckedForm<PurchaseValues, void>({
    schema: purchaseSchema(product),
    defaultValues: getOpenAttemptValues(product._id) ?? emptyPurchase(product, user),
    isAboutValues: isClientError,
    async send(values) {
      try {
        onPlaced(await place.mutateAsync(values))
      } catch (error) {
        void onOutdated()
        throw error
      }
    },
  })
  const { errors, isSubmitting } = form.formState
  const quantity = useWatch({ control: form.control, name: 'quantity' })
  const possible = quantity >= product.minimum && quantity <= product.quantity
  const total = possible && Number.isInteger(quantity) ? formatDollars(quantity * product.price) : '–'

  return (
    <form {...formProps} className="flex flex-col gap-5">
      <QuantityField form={form} minimum={product.minimum} stock={product.quantity} />
      <OptionsFields register={form.register} />
      <TextField
        label="Name"
        autoComplete="name"
        error={errors.customerName?.message}
        {...form.register('customerName')}
      />
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        error={errors.customerPhone?.message}
        {...form.register('customerPhone')}
      />
      <TextArea
        label="Address"
        autoComplete="street-address"
        error={errors.customerAddress?.message}
        {...form.register('customerAddress')}
      />
      {failure !== undefined && (
        <PurchaseFailure error={failure} quantity={quantity} busy={isSubmitting} onGoOn={submit} />
      )}
      <div className="low:static sticky bottom-0 -mx-4 flex items-center justify-between gap-4 border-t border-line bg-paper px-4 py-3 md:static md:mx-0 md:border-t-2 md:border-ink md:px-0 md:pt-5">
        <p>
          <span className="block text-sm text-quiet">Total</span>
          <output className="font-display text-2xl font-bold tabular-nums">{total}</output>
        </p>
        <Button type="submit" size="large" busy={isSubmitting}>
          Place Order
        </Button>
      </div>
    </form>
  )
}
