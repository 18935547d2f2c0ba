import type { CSSProperties } from 'react'
import {
  type BrandColor,
  formatRatio,
  isReadable,
  lowestContrast,
  mix,
  nearestReadable,
} from '../../contract/contrast.ts'
import { BrandGroup } from '../../contract/settings.ts'
import { brandColors } from '../../contract/shop.ts'
import { readBody } from '../draft.ts'
import { PictureField } from '../features/settings/picture-field.tsx'
import { Fields, type SettingsEditor, SettingsPage } from '../features/settings/settings-form.tsx'
import { ProductImage } from '../product-image.tsx'
import { useSettings } from '../router/router.tsx'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { TextField } from '../ui/field.tsx'
import { CheckIcon, CloseIcon } from '../ui/icons.tsx'

export const meta = () => ({ title: 'Brand' })

/** Logo, icon and colours of the shop. */
export default function ShopBrand() {
  return (
    <SettingsPage
      name="brand"
      title="Brand"
      note="Logo, icon and colours on all pages and in emails."
      toDraft={toDraft}
      read={(draft) => readBody(BrandGroup, draft)}
      preview={(draft) => <Preview draft={draft} />}
    >
      {(editor) => <BrandFields {...editor} />}
    </SettingsPage>
  )
}

type Draft = Required<BrandGroup>

const toDraft = (brand: BrandGroup): Draft => ({
  logo: brand.logo ?? '',
  logoOnDark: brand.logoOnDark ?? '',
  icon: brand.icon ?? '',
  shareImage: brand.shareImage ?? '',
  accent: brand.accent ?? '',
  accentOnDark: brand.accentOnDark ?? '',
})

const pictures = [
  {
    field: 'logoOnDark',
    label: 'Logo on dark',
    hint: 'In the navigation bar and the footer. A PNG with a transparent ground, 640 px wide.',
  },
  {
    field: 'logo',
    label: 'Logo on light',
    hint: 'In emails. Without a logo on dark, the navigation bar shows it.',
  },
  { field: 'icon', label: 'Icon', hint: 'In the tab of the browser and on phones. A square PNG of 512 px.' },
  {
    field: 'shareImage',
    label: 'Picture for social networks',
    hint: 'For links to pages without a product, 1200 × 630 px.',
  },
] as const

const colors = [
  { field: 'accent', label: 'Buttons and links', usual: brandColors.signal },
  { field: 'accentOnDark', label: 'Accents on dark', usual: brandColors['signal-bright'] },
] as const

function BrandFields({ draft, errors, set, onBusy }: SettingsEditor<Draft>) {
  return (
    <>
      <Fields
        title="Colours"
        note="Text in these colours must be easy to read: a contrast of at least 4.5 to 1."
      >
        {colors.map(({ field, label, usual }) => (
          <ColorField
            key={field}
            field={field}
            label={label}
            usual={usual}
            value={draft[field]}
            error={errors[field]}
            onChange={(color) => set({ [field]: color })}
          />
        ))}
      </Fields>
      <Fields title="Pictures">
        {pictures.map(({ field, label, hint }) => (
          <PictureField
            key={field}
            label={label}
            hint={hint}
            isOnDark={field === 'logoOnDark'}
            image={draft[field]}
            error={errors[field]}
            onBusy={onBusy}
            onChange={(image) => set({ [field]: image })}
          />
        ))}
      </Fields>
    </>
  )
}

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

interface ColorFieldProps {
  field: BrandColor
  label: string
  /** The colour of the style sheet. */
  usual: string
  value: string
  error: string | undefined
  onChange: (color: string) => void
}

function ColorField({ field, label, usual, value, error, onChange }: ColorFieldProps) {
  const color = isColor(value.trim()) ? value.trim().toLowerCase() : null
  const isBad = color !== null && !isReadable(field, color)
  const nearest = color && nearestReadable(field, color)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-3">
        <TextField
          label={label}
          className="grow"
          autoComplete="off"
          placeholder={usual}
          value={value}
          // The shop's message names the ratio and the nearest tone, which this field shows already.
          error={isBad ? undefined : error}
          onChange={({ target }) => onChange(target.value)}
        />
        <input
          type="color"
          aria-label={`Pick: ${label}`}
          value={color ?? usual}
          onChange={({ target }) => onChange(target.value)}
          className="h-12 w-14 shrink-0 rounded-control border border-edge bg-surface p-1"
        />
      </div>
      <div aria-live="polite" className="flex min-h-11 flex-wrap items-center gap-3">
        {color && (
          <Chip tone={isBad ? 'bad' : 'good'} icon={isBad ? CloseIcon : CheckIcon}>
            {`${isBad ? (field === 'accent' ? 'Too light' : 'Too dark') : 'Readable'}: ${formatRatio(lowestContrast(field, color))} to 1`}
          </Chip>
        )}
        {isBad && nearest && (
          <Button variant="quiet" size="small" onClick={() => onChange(nearest)}>
            Use {nearest}
          </Button>
        )}
      </div>
    </div>
  )
}

/** A sample in the colours of the draft. Scripts may set style properties, which the policy does not limit. */
function Preview({ draft }: { draft: Draft }) {
  const { shop } = useSettings()
  const accent = isColor(draft.accent) ? draft.accent : brandColors.signal
  const accentOnDark = isColor(draft.accentOnDark) ? draft.accentOnDark : brandColors['signal-bright']
  const look = {
    '--color-signal': accent,
    '--color-signal-deep': mix(accent, 0, 0.2),
    '--color-signal-bright': accentOnDark,
  } as CSSProperties
  const logo = draft.logoOnDark || draft.logo
  return (
    <div style={look} className="overflow-hidden rounded-card border border-line bg-paper">
      <div className="on-ink flex h-14 items-center justify-between gap-3 bg-ink px-4 text-white">
        {logo ? (
          <div className="h-9 w-40">
            <ProductImage src={logo} sizes="10rem" alt={shop.name} className="h-full object-left" />
          </div>
        ) : (
          <span className="font-display text-xl font-bold tracking-wide uppercase">{shop.name}</span>
        )}
        <span className="font-display font-semibold text-signal-bright">Reviews</span>
      </div>
      <div className="flex flex-col items-start gap-3 p-4">
        <p className="label text-sm text-signal">Brake pads</p>
        <p className="font-display text-2xl font-bold">$39.90</p>
        <p>
          <span className="text-signal underline">A link in a text</span>
        </p>
        <span className="inline-flex min-h-11 items-center rounded-control bg-signal px-5 font-display text-lg font-semibold text-white">
          Add to cart
        </span>
      </div>
    </div>
  )
}
