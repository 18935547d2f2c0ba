import { type ReactNode, useRef } from 'react'
import { type Path, type UseFormReturn, useWatch } from 'react-hook-form'
import { addressLines } from '../../../contract/address-rules.ts'
import type { SavedAddress } from '../../../contract/addresses.ts'
import { maxAddresses } from '../../../contract/limits.ts'
import { useSettings } from '../../router/router.tsx'
import { CheckboxField, TextArea, TextField } from '../../ui/field.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { AddressFields, type FieldAttributes } from './address-fields.tsx'
import type { DeliveryValues } from './delivery-schema.ts'
import { canReceive, initialDelivery, toParts } from './delivery-values.ts'

interface DeliveryFieldsProps {
  form: UseFormReturn<DeliveryValues>
  field: (name: Path<DeliveryValues>) => FieldAttributes
  /** Undefined for a guest. */
  customer: { email: string; name: string; phone: string } | undefined
  /** The addresses of the customer; empty for a guest. */
  saved: SavedAddress[]
  /** Offers a guest to sign in. */
  signIn: ReactNode
}

/** Contact, delivery address and note of an order. */
export function DeliveryFields({ form, field, customer, saved, signIn }: DeliveryFieldsProps) {
  const { mail } = useSettings()
  return (
    <>
      <Section title="Contact">
        {customer ? (
          <p className="wrap-anywhere">
            {mail === 'off' ? 'You order as ' : 'We send your receipt and delivery updates to '}
            <strong>{customer.email}</strong>.
          </p>
        ) : (
          <>
            {signIn}
            <TextField
              label="Email"
              type="email"
              autoComplete="email"
              hint={mail === 'off' ? undefined : 'We send your receipt and delivery updates to this address.'}
              {...field('email')}
            />
          </>
        )}
      </Section>
      <DeliveryAddress
        form={form}
        field={field}
        buyer={customer}
        saved={saved}
        canSave={customer !== undefined && saved.length < maxAddresses}
      />
    </>
  )
}

interface DeliveryAddressProps extends Pick<DeliveryFieldsProps, 'form' | 'field' | 'saved'> {
  /** Fills in the name and the phone of another address. */
  buyer: { name: string; phone: string } | undefined
  /** Whether another address can be saved. */
  canSave: boolean
}

/** Delivery address and note of an order. A customer's saved address can be chosen, or another one entered. */
export function DeliveryAddress({ form, field, buyer, saved, canSave }: DeliveryAddressProps) {
  const { countries } = useSettings()
  const savedId = useWatch({ control: form.control, name: 'savedId' })
  const chosen = saved.find(({ id }) => id === savedId)?.id
  /** The input of "Another address", while a saved one is chosen. */
  const typed = useRef(initialDelivery([], countries, buyer).address)
  const address = useWatch({ control: form.control, name: 'address' })
  const choose = (address?: SavedAddress) => {
    if (chosen === undefined) typed.current = form.getValues('address')
    const isWrong = address && !canReceive(address, countries)
    // The missing part is typed below, as part of another address.
    form.setValue('savedId', address && !isWrong ? address.id : '')
    form.setValue('address', address ? toParts(address) : typed.current)
    form.clearErrors('address')
    if (isWrong) void form.trigger('address')
  }
  return (
    <>
      <Section title="Delivery address">
        {saved.length > 0 && <SavedAddresses saved={saved} chosen={chosen} onChoose={choose} />}
        {chosen === undefined && (
          <>
            <AddressFields
              address={address}
              field={(part) => field(`address.${part}`)}
              onClear={(part) => form.setValue(`address.${part}`, '')}
              onClearErrors={() => form.clearErrors(['address.region', 'address.postalCode'])}
            />
            {canSave && <CheckboxField label="Save this address" {...form.register('saveAddress')} />}
          </>
        )}
      </Section>
      <TextArea label="Delivery note (optional)" rows={3} {...field('note')} />
    </>
  )
}

/** A group of fields with a heading as its legend. */
function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-4 font-display text-2xl font-bold">{title}</legend>
      {children}
    </fieldset>
  )
}

interface SavedAddressesProps {
  saved: SavedAddress[]
  /** Undefined: another address. */
  chosen: string | undefined
  onChoose: (address?: SavedAddress) => void
}

function SavedAddresses({ saved, chosen, onChoose }: SavedAddressesProps) {
  const option = (id: string | undefined, onChange: () => void, children: ReactNode) => (
    <RadioCard key={id ?? 'new'} name="saved-address" checked={chosen === id} onChoose={onChange}>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </RadioCard>
  )
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">Saved addresses</legend>
      <div className="grid gap-3 md:grid-cols-2">
        {saved.map((address) =>
          option(
            address.id,
            () => onChoose(address),
            <>
              <strong className="block">{address.label ?? address.name}</strong>
              {[address.label && address.name, ...addressLines(address)].filter(Boolean).join(', ')}
            </>,
          ),
        )}
        {option(undefined, () => onChoose(), <strong>Another address</strong>)}
      </div>
    </fieldset>
  )
}
