import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { addressLines } from '../../contract/address-rules.ts'
import { checkAddress, NewAddress, type SavedAddress } from '../../contract/addresses.ts'
import { maxAddresses } from '../../contract/limits.ts'
import { call, readMessage } from '../api.ts'
import { AddressFields } from '../features/addresses/address-fields.tsx'
import { addressesQuery, useAddressChange } from '../features/addresses/queries.ts'
import { useUser } from '../features/identity/session.ts'
import { QueryError } from '../query-error.tsx'
import { useSettings } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { CheckboxField, TextField } from '../ui/field.tsx'
import { focus, focusIfLost } from '../ui/focus.ts'
import { useCheckedForm } from '../ui/form.ts'
import { FormButtons } from '../ui/form-buttons.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'My Addresses' })

/** The address book of the signed-in customer. The form replaces the list while an address is edited. */
export default function MyAddresses() {
  const { _id: customerId } = useUser()
  const addresses = useQuery(addressesQuery(customerId))
  /** The address in the form. */
  const [edited, setEdited] = useState<SavedAddress | 'new' | null>(null)
  /** The address whose form was closed last: its button gets the focus back. `new` after a deletion, too. */
  const [closed, setClosed] = useState<typeof edited>(null)
  const close = () => {
    setClosed(edited)
    setEdited(null)
  }

  const { data } = addresses
  if (!data) {
    return (
      <>
        <PageHead title="My Addresses" />
        {addresses.isError ? (
          <QueryError title="Your addresses could not be loaded" query={addresses} />
        ) : (
          <FullSpinner />
        )}
      </>
    )
  }

  if (edited) {
    const address = edited === 'new' ? undefined : edited
    return (
      <>
        <PageHead title="My Addresses" />
        <AddressForm address={address} others={data} onClose={close} />
      </>
    )
  }

  const add = (
    // A new button after a deletion: the pressed one has disappeared with its address.
    <Button
      key={data.length}
      ref={closed === 'new' ? focusIfLost : undefined}
      onClick={() => setEdited('new')}
    >
      Add address
    </Button>
  )
  if (data.length === 0) {
    return (
      <>
        <PageHead title="My Addresses" />
        <EmptyState title="No addresses yet" action={add}>
          Save an address here, and checkout fills it in for you.
        </EmptyState>
      </>
    )
  }
  const isFull = data.length >= maxAddresses
  return (
    <>
      <PageHead
        title="My Addresses"
        note={
          isFull
            ? `You have saved ${maxAddresses} addresses. Delete one to add another.`
            : 'Checkout fills in your default address.'
        }
      >
        {!isFull && add}
      </PageHead>
      {addresses.isError && (
        <div className="pb-6">
          <QueryError title="Your addresses could not be loaded" query={addresses} />
        </div>
      )}
      <ul className="grid gap-4 md:grid-cols-2 md:gap-6">
        {data.map((address) => (
          <AddressCard
            key={address.id}
            address={address}
            isFocused={closed !== null && closed !== 'new' && closed.id === address.id}
            onEdit={() => setEdited(address)}
            onDeleted={() => setClosed('new')}
          />
        ))}
      </ul>
    </>
  )
}

interface AddressCardProps {
  address: SavedAddress
  /** Whether its Edit button gets the focus. */
  isFocused: boolean
  onEdit: () => void
  onDeleted: () => void
}

function AddressCard({ address, isFocused, onEdit, onDeleted }: AddressCardProps) {
  const { _id: customerId } = useUser()
  const [isDeleting, setDeleting] = useState(false)
  const change = useAddressChange(customerId)
  const { id, label, name, phone, isDefault, line1 } = address
  const shortName = label ?? line1

  const makeDefault = () =>
    change.mutate(
      async () => {
        // Another device may have edited it.
        const saved = (await call('listAddresses', {})).find((each) => each.id === id) ?? address
        return call('updateAddress', { params: { id }, body: { ...saved, isDefault: true } })
      },
      { onSuccess: () => showToast('success', 'Default address changed') },
    )
  const confirmDeletion = () =>
    change.mutate(() => call('deleteAddress', { params: { id } }), {
      onSuccess: () => {
        onDeleted()
        showToast('success', 'Address deleted')
      },
    })
  const setDialog = (isOpen: boolean) => {
    change.reset()
    setDeleting(isOpen)
  }

  return (
    <li className="flex min-w-0 flex-col gap-4 rounded-card border border-line bg-surface p-5">
      <div className="flex items-start justify-between gap-4">
        <h2 className="min-w-0 font-display text-xl font-bold wrap-anywhere">{label ?? name}</h2>
        {isDefault && (
          <Chip tone="good" icon={CheckIcon}>
            Default
          </Chip>
        )}
      </div>
      <address className="wrap-anywhere not-italic">
        {[label && name, ...addressLines(address), phone].filter(Boolean).map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two lines may be equal
          <span key={index} className="block">
            {line}
          </span>
        ))}
      </address>
      {change.isError && !isDeleting && <Alert>{readMessage(change.error)}</Alert>}
      <div className="mt-auto flex flex-wrap gap-2">
        <Button
          ref={isFocused ? focus : undefined}
          variant="quiet"
          size="small"
          aria-label={`Edit ${shortName}`}
          onClick={onEdit}
        >
          Edit
        </Button>
        <Button
          variant="danger"
          size="small"
          aria-label={`Delete ${shortName}`}
          onClick={() => setDialog(true)}
        >
          Delete
        </Button>
        {!isDefault && (
          <BusyButton
            variant="quiet"
            size="small"
            busy={change.isPending && !isDeleting}
            aria-label={`Make default: ${shortName}`}
            onClick={makeDefault}
          >
            Make default
          </BusyButton>
        )}
      </div>
      {isDeleting && (
        <ConfirmDialog
          title="Delete address"
          busy={change.isPending}
          failure={change.isError ? readMessage(change.error) : ''}
          onYes={confirmDeletion}
          onClose={() => setDialog(false)}
        >
          {[name, ...addressLines(address)].join(', ')}. Your orders keep their address.
        </ConfirmDialog>
      )}
    </li>
  )
}

interface AddressFormProps {
  /** The address to edit; undefined for a new one. */
  address: SavedAddress | undefined
  others: SavedAddress[]
  onClose: () => void
}

/** Form for a new or saved address. A new one starts with the name and phone of the profile. */
function AddressForm({ address, others, onClose }: AddressFormProps) {
  const { _id: customerId, name, phone } = useUser()
  const { countries } = useSettings()
  const change = useAddressChange(customerId)
  const country = others.find(({ isDefault }) => isDefault)?.country
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm<NewAddress, void>({
    schema: NewAddress.check(checkAddress(countries)),
    defaultValues: address ?? { name, phone, country, isDefault: false },
    async send(body) {
      await change.mutateAsync(() =>
        address ? call('updateAddress', { params: { id: address.id }, body }) : call('addAddress', { body }),
      )
      showToast('success', 'Address saved')
      onClose()
    },
  })
  const [typedCountry, region] = useWatch({ control: form.control, name: ['country', 'region'] })
  // The first address is the default, and the default stays it until another one replaces it.
  const canBecomeDefault = others.length > 0 && !address?.isDefault
  return (
    <form {...formProps} aria-labelledby="address-form" className="flex max-w-wide flex-col gap-4">
      <h2 id="address-form" ref={focus} tabIndex={-1} className="font-display text-2xl font-bold">
        {address ? 'Edit address' : 'Add address'}
      </h2>
      <TextField
        label="Label (optional)"
        hint="For example, Home or Workshop"
        autoComplete="off"
        {...field('label')}
      />
      <AddressFields
        address={{ country: typedCountry, region }}
        field={field}
        onClear={(part) => form.setValue(part, '')}
        onClearErrors={() => form.clearErrors(['region', 'postalCode'])}
      />
      {canBecomeDefault && (
        <CheckboxField label="Make this my default address" {...form.register('isDefault')} />
      )}
      {failure !== undefined && <Alert>{readMessage(failure)}</Alert>}
      <FormButtons submit="Save address" busy={isSubmitting} isInline onCancel={onClose} />
    </form>
  )
}
