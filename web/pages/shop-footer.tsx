import { type FooterColumn, FooterGroup, maxColumns, maxLinks } from '../../contract/settings.ts'
import { type Errors, readBody } from '../draft.ts'
import { addRow, type Keyed, type RowFieldsProps, toRowFields, withKeys } from '../draft-rows.ts'
import { type SettingsEditor, SettingsPage } from '../features/settings/settings-form.tsx'
import { useSettings } from '../router/router.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { MoveButton } from '../ui/move-button.tsx'

export const meta = () => ({ title: 'Footer' })

/** The columns of links in the footer. */
export default function ShopFooter() {
  const { shop } = useSettings()
  return (
    <SettingsPage
      name="footer"
      title="Footer"
      note="The columns of links at the end of every page."
      // Without saved columns, the shop shows the default ones, or none after the placeholder texts are removed.
      toDraft={({ columns = shop.columns }) => toDraft(columns)}
      read={readDraft}
      preview={(draft) => <Preview {...draft} />}
    >
      {(editor) => <FooterFields {...editor} />}
    </SettingsPage>
  )
}

interface LinkRow {
  label: string
  href: string
}
interface ColumnRow {
  title: string
  links: Keyed<LinkRow>[]
}
interface Draft {
  columns: Keyed<ColumnRow>[]
}

const toDraft = (columns: FooterColumn[]): Draft => ({
  columns: withKeys(columns.map(({ title, links }) => ({ title, links: withKeys(links) }))),
})

const readDraft = ({ columns }: Draft) =>
  readBody(FooterGroup, {
    columns: columns.map(({ title, links }) => ({
      title,
      links: links.map(({ label, href }) => ({ label, href })),
    })),
  })

function FooterFields({ draft, errors, change }: SettingsEditor<Draft>) {
  const setColumns = (edit: (columns: Draft['columns']) => Draft['columns']) =>
    change(({ columns }) => ({ columns: edit(columns) }))
  return (
    <>
      {toRowFields('columns', draft.columns, errors, setColumns).map((column) => (
        <ColumnFields
          key={column.row.key}
          {...column}
          errors={errors}
          onLinks={(edit) =>
            setColumns((all) =>
              all.map((each) => (each.key === column.row.key ? { ...each, links: edit(each.links) } : each)),
            )
          }
        />
      ))}
      {draft.columns.length < maxColumns && (
        <div>
          <Button
            variant="quiet"
            onClick={() =>
              setColumns((all) => addRow(all, { title: '', links: withKeys([{ label: '', href: '' }]) }))
            }
          >
            Add column
          </Button>
        </div>
      )}
    </>
  )
}

interface ColumnProps extends RowFieldsProps<ColumnRow> {
  errors: Errors
  onLinks: (edit: (links: ColumnRow['links']) => ColumnRow['links']) => void
}

function ColumnFields({ row: { links }, number, text, errors, onMove, onRemove, onLinks }: ColumnProps) {
  return (
    <fieldset className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-6">
      <legend className="sr-only">{`Column ${number}`}</legend>
      <div className="flex flex-wrap items-start gap-3">
        <TextField label={`Title of column ${number}`} className="grow basis-48" {...text('title')} />
        <span className="flex gap-2 md:mt-7">
          <MoveButton label={`Move column ${number} forward`} isAtEnd={number === 1} onMove={onMove} />
          <Button variant="danger" size="small" aria-label={`Remove column ${number}`} onClick={onRemove}>
            Remove
          </Button>
        </span>
      </div>
      <ul className="flex flex-col gap-3">
        {toRowFields(`columns.${number - 1}.links`, links, errors, onLinks).map((link) => {
          const name = `link ${link.number} of column ${number}`
          return (
            <li
              key={link.row.key}
              className="grid items-start gap-x-3 gap-y-2 border-t border-line pt-3 md:grid-cols-[1fr_1fr_auto]"
            >
              <TextField label="Label" aria-label={`Label of ${name}`} {...link.text('label')} />
              <TextField
                label="Link"
                aria-label={`Target of ${name}`}
                placeholder="No link"
                {...link.text('href')}
              />
              <span className="flex gap-2 md:mt-7">
                <MoveButton label={`Move ${name} up`} isAtEnd={link.number === 1} onMove={link.onMove} />
                <Button variant="quiet" size="small" aria-label={`Remove ${name}`} onClick={link.onRemove}>
                  Remove
                </Button>
              </span>
            </li>
          )
        })}
      </ul>
      {links.length < maxLinks && (
        <div>
          <Button
            variant="quiet"
            size="small"
            aria-label={`Add link to column ${number}`}
            onClick={() => onLinks((all) => addRow(all, { label: '', href: '' }))}
          >
            Add link
          </Button>
        </div>
      )}
      <p className="text-sm text-quiet">
        A link leads to a path such as /contact-us, or to an https URL. Without a target it is not shown after
        the placeholder texts are removed.
      </p>
    </fieldset>
  )
}

const Preview = ({ columns }: Draft) => (
  <div className="on-ink grid grid-cols-2 gap-4 rounded-card bg-ink p-4 text-sm text-ink-quiet">
    {columns.map(({ key, title, links }) => (
      <div key={key} className="wrap-anywhere">
        <p className="label mb-2 text-white">{title}</p>
        <ul className="flex flex-col gap-1">
          {links.map((link) => (
            <li key={link.key} className={link.href ? 'underline' : ''}>
              {link.label}
            </li>
          ))}
        </ul>
      </div>
    ))}
    {columns.length === 0 && <p className="col-span-2">The footer has no links.</p>}
  </div>
)
