import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { defaultHero, defaultStats } from '../../contract/default-settings.ts'
import { type Banner, HomeGroup, maxBanners, maxFeatured, type Stat } from '../../contract/settings.ts'
import { readBody } from '../draft.ts'
import { addRow, type Keyed, moveRow, type RowFieldsProps, toRowFields, withKeys } from '../draft-rows.ts'
import { anyProductQuery } from '../features/catalog/queries.ts'
import { FindItem } from '../features/goods/find-item.tsx'
import { HomePreview } from '../features/settings/home-preview.tsx'
import { PictureField } from '../features/settings/picture-field.tsx'
import { Fields, type SettingsEditor, SettingsPage } from '../features/settings/settings-form.tsx'
import { ProductImage } from '../product-image.tsx'
import { Button } from '../ui/button.tsx'
import { CheckboxField, TextArea, TextField } from '../ui/field.tsx'
import { focusNextIfLost } from '../ui/lost-focus.ts'
import { MoveButton } from '../ui/move-button.tsx'

export const meta = () => ({ title: 'Home' })

/** Texts, products and banners of the home page. */
export default function ShopHome() {
  const [isAdding, setAdding] = useState(false)
  return (
    <SettingsPage
      name="home"
      title="Home page"
      note="What visitors see first. A blank field has its default."
      toDraft={toDraft}
      read={readDraft}
      preview={(draft) => (
        <HomePreview
          {...draft}
          lines={listLines(draft)}
          productCount={draft.products.length}
          stats={draft.hasStats ? draft.stats : []}
        />
      )}
      dialog={({ change }) =>
        isAdding && (
          <FindItem
            title="Add product"
            isWhole
            onChosen={({ product: { _id: key } }) => {
              change((current) =>
                current.products.some((each) => each.key === key)
                  ? current
                  : { ...current, products: [...current.products, { key }] },
              )
              setAdding(false)
            }}
            onClose={() => setAdding(false)}
          />
        )
      }
    >
      {(editor) => <HomeFields {...editor} onAdd={() => setAdding(true)} />}
    </SettingsPage>
  )
}

/** The settings as they are typed. */
interface Draft {
  firstLine: string
  secondLine: string
  text: string
  button: string
  href: string
  picture: string
  products: { key: string }[]
  banners: Keyed<Banner>[]
  hasStats: boolean
  stats: Keyed<Stat>[]
  placeholders: boolean
}

const toDraft = ({ lines = [], placeholders = true, ...home }: HomeGroup): Draft => ({
  firstLine: lines[0] ?? '',
  secondLine: lines[1] ?? '',
  text: home.text ?? '',
  button: home.button ?? '',
  href: home.href ?? '',
  picture: home.picture ?? '',
  products: (home.productIds ?? []).map((key) => ({ key })),
  banners: withKeys(home.banners ?? []),
  hasStats: home.stats ? home.stats.length > 0 : placeholders,
  stats: withKeys(home.stats?.length ? home.stats : defaultStats),
  placeholders,
})

const isDefault = (stats: Stat[]) => JSON.stringify(stats) === JSON.stringify(defaultStats)

const listLines = ({ firstLine, secondLine }: Draft) => [firstLine, secondLine].filter((line) => line.trim())

/** Leaves out what is the default. */
function readDraft(draft: Draft) {
  const { hasStats, placeholders, text, button, href, picture } = draft
  const lines = listLines(draft)
  const productIds = draft.products.map(({ key }) => key)
  const banners = draft.banners.map(({ key: _key, ...banner }) => banner)
  const stats = hasStats ? draft.stats.map(({ figure, label }) => ({ figure, label })) : []
  const isUsual = placeholders ? isDefault(stats) : stats.length === 0
  return readBody(HomeGroup, {
    text,
    button,
    href,
    picture,
    ...(lines.length > 0 && { lines }),
    ...(productIds.length > 0 && { productIds }),
    ...(banners.length > 0 && { banners }),
    ...(!isUsual && { stats }),
    ...(!placeholders && { placeholders }),
  })
}

function HomeFields({ onAdd, ...editor }: SettingsEditor<Draft> & { onAdd: () => void }) {
  const { draft, errors, change, set, text, checkbox, onBusy } = editor
  const setProducts = (edit: (products: Draft['products']) => Draft['products']) =>
    change((current) => ({ ...current, products: edit(current.products) }))
  const setBanners = (edit: (rows: Draft['banners']) => Draft['banners']) =>
    change((current) => ({ ...current, banners: edit(current.banners) }))
  const setStats = (edit: (rows: Draft['stats']) => Draft['stats']) =>
    change((current) => ({ ...current, stats: edit(current.stats) }))
  return (
    <>
      <Fields title="Title and button">
        <TextField
          label="Title, first line"
          placeholder={defaultHero.lines[0]}
          hint="At most 20 characters"
          {...text('firstLine')}
          error={errors['lines.0'] ?? errors.lines}
        />
        <TextField
          label="Title, second line"
          placeholder={draft.firstLine.trim() ? '' : defaultHero.lines[1]}
          hint="At most 20 characters"
          {...text('secondLine')}
          error={errors['lines.1']}
        />
        <TextArea
          label="Text"
          rows={2}
          className="md:col-span-2"
          placeholder={defaultHero.text}
          hint="At most 200 characters"
          {...text('text')}
        />
        <TextField label="Button" placeholder={defaultHero.button} {...text('button')} />
        <TextField
          label="Target of the button"
          placeholder={defaultHero.href}
          hint="A path such as /products, or an https URL"
          {...text('href')}
        />
        <div className="md:col-span-2">
          <PictureField
            label="Picture"
            hint="In place of the motorcycle. A photo in landscape format, 1280 px wide."
            image={draft.picture}
            error={errors.picture}
            onBusy={onBusy}
            onChange={(picture) => set({ picture })}
          />
        </div>
      </Fields>
      <Fields
        title="Products"
        note="At most 8, in this order. Products that are hidden or deleted are left out. Without a choice: the first four of the shop."
      >
        <ol className="flex flex-col divide-y divide-line border-y border-line empty:hidden md:col-span-2">
          {draft.products.map(({ key }, index) => (
            <ChosenProduct
              key={key}
              id={key}
              isFirst={index === 0}
              isLast={index === draft.products.length - 1}
              onMove={(by) => setProducts((all) => moveRow(all, key, by))}
              onRemove={() => {
                focusNextIfLost()
                setProducts((all) => all.filter((each) => each.key !== key))
              }}
            />
          ))}
        </ol>
        {errors.productIds && <p className="font-semibold text-bad md:col-span-2">{errors.productIds}</p>}
        {draft.products.length < maxFeatured && (
          <div className="md:col-span-2">
            <Button variant="quiet" onClick={onAdd}>
              Add product
            </Button>
          </div>
        )}
      </Fields>
      <Fields title="Banners" note="At most 3 cards below the title, for example for a sale or a brand.">
        <ul className="flex flex-col gap-6 empty:hidden md:col-span-2">
          {toRowFields('banners', draft.banners, errors, setBanners).map((row) => (
            <BannerFields key={row.row.key} {...row} onBusy={onBusy} />
          ))}
        </ul>
        {draft.banners.length < maxBanners && (
          <div className="md:col-span-2">
            <Button
              variant="quiet"
              onClick={() => setBanners((all) => addRow(all, { title: '', text: '', picture: '', href: '' }))}
            >
              Add banner
            </Button>
          </div>
        )}
      </Fields>
      <Fields
        title="Figures"
        note="Four large figures at the end of the page. The default ones are invented."
      >
        <CheckboxField
          label="The home page shows figures"
          className="md:col-span-2"
          {...checkbox('hasStats')}
        />
        {draft.hasStats && (
          <ul className="flex flex-col gap-4 md:col-span-2">
            {toRowFields('stats', draft.stats, errors, setStats).map((row) => (
              <StatFields key={row.row.key} {...row} />
            ))}
          </ul>
        )}
      </Fields>
      <Fields title="Placeholder texts">
        <CheckboxField
          label="Show sample posts, and links without a target in the footer"
          className="md:col-span-2"
          {...checkbox('placeholders')}
        />
      </Fields>
    </>
  )
}

interface ChosenProductProps {
  id: string
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

function ChosenProduct({ id, isFirst, isLast, onMove, onRemove }: ChosenProductProps) {
  const { data, isError } = useQuery(anyProductQuery(id))
  const name = data?.name ?? (isError ? 'Unknown product' : '…')
  const isSold = data && !data.hidden && !data.deletedAt
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <span className="w-12 shrink-0">
        <ProductImage src={data?.image ?? ''} sizes="3rem" alt="" />
      </span>
      <span className="min-w-32 grow basis-0 wrap-anywhere">
        <span className="font-semibold">{name}</span>
        {(isError || data) && !isSold && (
          <span className="block text-sm text-bad">Not for sale, so visitors do not see it</span>
        )}
      </span>
      <span className="flex gap-2">
        <MoveButton label={`Move up: ${name}`} isAtEnd={isFirst} onMove={onMove} />
        <MoveButton label={`Move down: ${name}`} by={1} isAtEnd={isLast} onMove={onMove} />
        <Button variant="quiet" size="small" aria-label={`Remove: ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </span>
    </li>
  )
}

interface BannerProps extends RowFieldsProps<Banner> {
  onBusy: (busy: boolean) => void
}

function BannerFields({ row, number, error, text, onChange, onMove, onRemove, onBusy }: BannerProps) {
  return (
    <li>
      <fieldset className="grid gap-4 rounded-card border border-line bg-surface p-4 md:grid-cols-2 md:p-6">
        <legend className="sr-only">{`Banner ${number}`}</legend>
        <TextField label="Title" hint="At most 40 characters" {...text('title')} />
        <TextField label="Link" placeholder="No link" hint="A path, or an https URL" {...text('href')} />
        <TextField
          label="Text"
          className="md:col-span-2"
          hint="Optional, at most 120 characters"
          {...text('text')}
        />
        <div className="md:col-span-2">
          <PictureField
            label={`Picture of banner ${number}`}
            hint="Optional, in the format 4:3."
            image={row.picture}
            error={error('picture')}
            onBusy={onBusy}
            onChange={(picture) => onChange({ picture })}
          />
        </div>
        <div className="flex gap-2 md:col-span-2">
          <MoveButton label={`Move banner ${number} forward`} isAtEnd={number === 1} onMove={onMove} />
          <Button variant="danger" size="small" aria-label={`Remove banner ${number}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      </fieldset>
    </li>
  )
}

const StatFields = ({ number, text }: RowFieldsProps<Stat>) => (
  <li>
    <fieldset className="grid grid-cols-2 items-start gap-3">
      <legend className="sr-only">{`Figure ${number}`}</legend>
      <TextField label="Figure" {...text('figure')} />
      <TextField label="Label" {...text('label')} />
    </fieldset>
  </li>
)
