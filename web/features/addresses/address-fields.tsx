import { useEffect } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { countryCodes, countryName, describeParts } from '../../../contract/address-rules.ts'
import type { Address } from '../../../contract/addresses.ts'
import { onDemand } from '../../on-demand.ts'
import { useSettings } from '../../router/router.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'

/** Attributes of an input with its validation message, from `useCheckedForm`. */
export type FieldAttributes = UseFormRegisterReturn & { error: string | undefined }

interface AddressFieldsProps {
  /** The present values. */
  address: Pick<Address, 'country' | 'region'>
  field: (part: keyof Address) => FieldAttributes
  /** Called for a part that the chosen country does not have. */
  onClear: (part: 'region' | 'postalCode') => void
  /** Called if another country is chosen: the errors of both parts are about the former one. */
  onClearErrors: () => void
}

/** The regions of the countries that have a list. They are most of this form's code. */
const lists = onDemand(() => import('../../../contract/regions.ts'))

const { compare } = new Intl.Collator('en')
/** All countries, sorted by name. */
export const countries = countryCodes
  .map((code) => ({ code, name: countryName(code) }))
  .toSorted((one, other) => compare(one.name, other.name))

/** The fields of a postal address within a form: the country decides which others it needs. Browsers fill them in by their `autocomplete` tokens. */
export function AddressFields({ address, field, onClear, onClearErrors }: AddressFieldsProps) {
  const { countries: served } = useSettings()
  const shown = countries.filter(({ code }) => !served || served.includes(code))
  // A failure leaves the field for a typed region.
  useEffect(() => void lists.load().catch(() => undefined), [])
  const list = lists.useCode()
  const regions = list?.listRegions(address.country) ?? []
  const { hasPostalCode, needsPostalCode, needsRegion } = describeParts(address.country)
  const country = field('country')
  const region = {
    label: needsRegion ? 'State or region' : 'State or region (optional)',
    autoComplete: 'shipping address-level1',
    ...field('region'),
  }
  return (
    <div className="grid gap-4 md:grid-cols-2 md:gap-x-6">
      <SelectField
        label="Country"
        autoComplete="shipping country"
        className="md:col-span-2"
        {...country}
        onChange={(event) => {
          const { value } = event.currentTarget
          if (address.region && !list?.findRegion(value, address.region)) onClear('region')
          if (!describeParts(value).hasPostalCode) onClear('postalCode')
          onClearErrors()
          return country.onChange(event)
        }}
      >
        <option value="">Select a country</option>
        {shown.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField label="Name" autoComplete="shipping name" {...field('name')} />
      <TextField label="Phone (optional)" type="tel" autoComplete="shipping tel" {...field('phone')} />
      <TextField
        label="Address"
        hint="Street and number"
        autoComplete="shipping address-line1"
        className="md:col-span-2"
        {...field('line1')}
      />
      <TextField
        label="Apartment, company or floor (optional)"
        autoComplete="shipping address-line2"
        className="md:col-span-2"
        {...field('line2')}
      />
      <TextField label="City" autoComplete="shipping address-level2" {...field('city')} />
      {regions.length > 0 ? (
        <SelectField key="list" {...region}>
          <option value="">Select a state or region</option>
          {regions.map(({ code, name }) => (
            // The region may be typed, or saved by its name.
            <option
              key={code}
              value={list?.findRegion(address.country, address.region)?.code === code ? address.region : code}
            >
              {name}
            </option>
          ))}
        </SelectField>
      ) : (
        <TextField {...region} />
      )}
      {hasPostalCode && (
        <TextField
          label={needsPostalCode ? 'Postal code' : 'Postal code (optional)'}
          autoComplete="shipping postal-code"
          {...field('postalCode')}
        />
      )}
    </div>
  )
}
