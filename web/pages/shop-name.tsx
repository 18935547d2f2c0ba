import { countryName } from '../../contract/address-rules.ts'
import { defaultHome, defaultName, defaultTagline } from '../../contract/default-settings.ts'
import { maxHours, ShopGroup, weekdays } from '../../contract/settings.ts'
import { type Errors, type Reading, readBody } from '../draft.ts'
import { addRow, type Keyed, type RowFieldsProps, toRowFields, withKeys } from '../draft-rows.ts'
import { countries } from '../features/addresses/address-fields.tsx'
import { Fields, type SettingsEditor, SettingsPage } from '../features/settings/settings-form.tsx'
import { Button } from '../ui/button.tsx'
import { CheckboxField, SelectField, TextArea, TextField } from '../ui/field.tsx'

export const meta = () => ({ title: 'Name' })

/** Name and contact of the shop. */
export default function ShopName() {
  return (
    <SettingsPage
      name="shop"
      title="Name and contact"
      note="Pages, emails, invoices and search engines show them. A blank field has its default."
      toDraft={toDraft}
      read={readDraft}
      preview={(draft) => <Preview draft={draft} />}
    >
      {(editor) => <ShopFields {...editor} />}
    </SettingsPage>
  )
}

interface HoursRow {
  from: string
  to: string
  opens: string
  closes: string
}

/** The settings as they are typed. `place`: latitude and longitude, or a link. `social`: one link in each line. */
interface Draft {
  name: string
  tagline: string
  legalName: string
  email: string
  phone: string
  street: string
  postalCode: string
  city: string
  country: string
  place: string
  hours: Keyed<HoursRow>[]
  hoursNote: string
  social: string
  homeTitle: string
  homeDescription: string
  showFeedback: boolean
}

const toDraft = ({
  latitude,
  longitude,
  hours = [],
  social = [],
  showFeedback = true,
  ...shop
}: ShopGroup): Draft => ({
  name: shop.name ?? '',
  tagline: shop.tagline ?? '',
  legalName: shop.legalName ?? '',
  email: shop.email ?? '',
  phone: shop.phone ?? '',
  street: shop.street ?? '',
  postalCode: shop.postalCode ?? '',
  city: shop.city ?? '',
  country: shop.country ?? '',
  place: latitude === undefined ? '' : `${latitude}, ${longitude}`,
  hours: withKeys<HoursRow>(hours),
  hoursNote: shop.hoursNote ?? '',
  social: social.join('\n'),
  homeTitle: shop.homeTitle ?? '',
  homeDescription: shop.homeDescription ?? '',
  showFeedback,
})

const number = '(-?\\d{1,3}(?:\\.\\d+)?)'
/** Two numbers, or a link of OpenStreetMap to a marker or a section of the map. */
const places = [
  new RegExp(`^${number}[,;\\s]+${number}$`),
  new RegExp(`[?&]mlat=${number}&mlon=${number}`),
  new RegExp(`#map=\\d+/${number}/${number}`),
]

function readPlace(text: string): { latitude?: number; longitude?: number } {
  const [, latitude, longitude] = places.map((place) => place.exec(text.trim())).find(Boolean) ?? []
  if (latitude === undefined || longitude === undefined) return {}
  return { latitude: Number(latitude), longitude: Number(longitude) }
}

/** Returns the body that a draft means, or the errors of its fields. */
function readDraft({ place, hours, social, showFeedback, ...texts }: Draft): Reading<ShopGroup> {
  const position = readPlace(place)
  const read = readBody(ShopGroup, {
    ...texts,
    ...position,
    hours: hours.map(({ from, to, opens, closes }) => ({ from, to, opens, closes })),
    social: social.split(/\s+/).filter(Boolean),
    // The default is not saved.
    ...(showFeedback ? {} : { showFeedback }),
  })
  const errors: Errors = Object.fromEntries(
    Object.entries(read.errors ?? {}).map(([path, message]) => [
      path.startsWith('social') ? 'social' : /^(latitude|longitude)$/.test(path) ? 'place' : path,
      message,
    ]),
  )
  if (place.trim() && position.latitude === undefined)
    errors['place'] = 'Enter latitude and longitude, such as 52.52, 13.405, or a link of OpenStreetMap'
  return read.body && Object.keys(errors).length === 0 ? { body: read.body } : { errors }
}

const readName = (draft: Draft) => draft.name.trim() || defaultName

function ShopFields({ draft, errors, change, text, checkbox }: SettingsEditor<Draft>) {
  const setHours = (edit: (rows: Draft['hours']) => Draft['hours']) =>
    change((current) => ({ ...current, hours: edit(current.hours) }))
  return (
    <>
      <Fields title="Name">
        <TextField
          label="Name"
          maxLength={30}
          placeholder={defaultName}
          hint="At most 30 characters"
          {...text('name')}
        />
        <TextField
          label="Legal name"
          hint="On invoices, for example: Held Out Motos LLC"
          {...text('legalName')}
        />
        <TextField
          label="About the company"
          className="md:col-span-2"
          placeholder={defaultTagline(readName(draft))}
          hint="One sentence in the footer, at most 160 characters"
          {...text('tagline')}
        />
      </Fields>
      <Fields title="Contact" note="Contact Us, emails and packing slips show it.">
        <TextField
          label="Email"
          type="email"
          hint="Replies to emails of the shop go here"
          {...text('email')}
        />
        <TextField label="Phone" type="tel" {...text('phone')} />
        <TextField label="Street and number" className="md:col-span-2" {...text('street')} />
        <TextField label="Postal code" {...text('postalCode')} />
        <TextField label="City" {...text('city')} />
        <SelectField label="Country" {...text('country')}>
          <option value="">Select a country</option>
          {countries.map((each) => (
            <option key={each.code} value={each.code}>
              {each.name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Place on the map"
          hint="Latitude and longitude, or a link of openstreetmap.org. Blank: an address is shown without a map."
          {...text('place')}
        />
      </Fields>
      <Fields title="Opening hours">
        <ul className="flex flex-col gap-4 md:col-span-2">
          {toRowFields('hours', draft.hours, errors, setHours).map((row) => (
            <HoursFields key={row.row.key} {...row} />
          ))}
        </ul>
        {draft.hours.length < maxHours && (
          <div className="md:col-span-2">
            <Button
              variant="quiet"
              onClick={() =>
                setHours((rows) =>
                  addRow(rows, { from: 'Monday', to: 'Friday', opens: '09:00', closes: '18:00' }),
                )
              }
            >
              Add hours
            </Button>
          </div>
        )}
        <TextField
          label="Note"
          className="md:col-span-2"
          hint="For example: closed on public holidays"
          {...text('hoursNote')}
        />
      </Fields>
      <Fields title="Other pages">
        <TextArea
          label="Your pages at other sites"
          rows={3}
          className="md:col-span-2"
          hint="One URL in each line, at most 8. The footer links to them."
          {...text('social')}
        />
        <div className="md:col-span-2">
          <CheckboxField label="Contact Us shows the card Feedback" {...checkbox('showFeedback')} />
          <p className="text-sm text-quiet">Its Submit button does not send anything yet.</p>
        </div>
      </Fields>
      <Fields title="Search engines" note="How search engines show your home page.">
        <TextField
          label="Title"
          placeholder={defaultHome.title}
          hint="At most 60 characters"
          {...text('homeTitle')}
        />
        <TextArea
          label="Description"
          rows={2}
          className="md:col-span-2"
          placeholder={defaultHome.description}
          hint="At most 160 characters"
          {...text('homeDescription')}
        />
      </Fields>
    </>
  )
}

function HoursFields({ number, text, onRemove }: RowFieldsProps<HoursRow>) {
  const days = weekdays.map((day) => (
    <option key={day} value={day}>
      {day}
    </option>
  ))
  return (
    <li>
      <fieldset className="grid grid-cols-2 items-start gap-3 md:grid-cols-[1fr_1fr_7rem_7rem_auto]">
        <legend className="sr-only">{`Hours ${number}`}</legend>
        <SelectField label="From" {...text('from')}>
          {days}
        </SelectField>
        <SelectField label="To" {...text('to')}>
          {days}
        </SelectField>
        <TextField label="Opens" type="time" {...text('opens')} />
        <TextField label="Closes" type="time" {...text('closes')} />
        <Button
          variant="quiet"
          size="small"
          className="md:mt-7"
          aria-label={`Remove hours ${number}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </fieldset>
    </li>
  )
}

function Preview({ draft }: { draft: Draft }) {
  const name = readName(draft)
  const lines = [
    draft.street,
    [draft.city, draft.postalCode].filter(Boolean).join(' '),
    draft.country && countryName(draft.country),
  ].filter(Boolean)
  return (
    <>
      <div className="rounded-card border border-line bg-surface p-4">
        <p className="text-sm text-quiet">Search engine</p>
        <p className="font-semibold text-signal wrap-anywhere">{`${draft.homeTitle.trim() || defaultHome.title} · ${name}`}</p>
        <p className="text-sm wrap-anywhere">{draft.homeDescription.trim() || defaultHome.description}</p>
      </div>
      <div className="on-ink rounded-card bg-ink p-4 text-ink-quiet">
        <p className="font-display text-xl font-bold tracking-wide text-white uppercase wrap-anywhere">
          {name}
        </p>
        <p className="mt-3 wrap-anywhere">{draft.tagline.trim() || defaultTagline(name)}</p>
      </div>
      <div className="rounded-card border border-line bg-surface p-4 wrap-anywhere">
        <p className="text-sm text-quiet">Invoice</p>
        <p className="font-semibold">{draft.legalName.trim() || name}</p>
        <p className="whitespace-pre-line">{lines.join('\n')}</p>
      </div>
    </>
  )
}
