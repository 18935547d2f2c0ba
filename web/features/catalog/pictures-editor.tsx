import { useEffect, useRef, useState } from 'react'
import type { EditableProduct, Product } from '../../../contract/catalog.ts'
import { listColours } from '../../../contract/choice.ts'
import { imageUrl } from '../../../contract/fields.ts'
import { EditedPictures, type GalleryPicture, maxPictures } from '../../../contract/product-pictures.ts'
import type { Versioned } from '../../api.ts'
import { type ReportUnsaved, readBody, useDraft, useUnsavedPart } from '../../draft.ts'
import { addRow, type Keyed, type RowFieldsProps, toRowFields, withKeys } from '../../draft-rows.ts'
import { ProductImage } from '../../product-image.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SectionHead } from '../../ui/page-head.tsx'
import { FileUpload, pictureFile } from '../../upload.tsx'
import { useSavePictures } from './queries.ts'

/** A picture as it is typed. */
interface Row {
  image: string
  alt: string
  colour: string
}

function toRows({ image, pictures }: EditableProduct): Keyed<Row>[] {
  // A process of the previous version sends no pictures.
  const stored = (pictures as GalleryPicture[] | undefined) ?? [{ image }]
  return withKeys(stored.map(({ image, alt = '', colour = '' }) => ({ image, alt, colour })))
}

const toPictures = (rows: Keyed<Row>[]): GalleryPicture[] =>
  rows.map(({ image, alt, colour }) => ({
    image,
    ...(alt.trim() && { alt }),
    ...(colour && { colour }),
  }))

interface PicturesEditorProps {
  product: Product
  loaded: Versioned<EditableProduct>
  report: ReportUnsaved
}

/** Edits the pictures of a product, with their order, text and colour. The whole list is saved. */
export function PicturesEditor({ product, loaded, report }: PicturesEditorProps) {
  const { mutateAsync } = useSavePictures(product._id)
  const { draft, base, change, isDirty, isRebased, isSaving, submit, errors, alert, formProps } = useDraft({
    loaded: { value: toRows(loaded.value), version: loaded.etag },
    read: (rows) => readBody(EditedPictures, { pictures: toPictures(rows) }),
    save: (body, etag) => mutateAsync({ etag, body }),
    savedText: 'Pictures Saved',
    // Another admin changed them: both are shown, and the next save replaces theirs.
    rebase: (rows) => rows,
    // Keys are only for React.
    isSame: (one, other) => JSON.stringify(toPictures(one)) === JSON.stringify(toPictures(other)),
  })
  const [isUploading, setUploading] = useState(false)
  useUnsavedPart(report, isDirty || isUploading ? 'pictures' : '', async () => !isUploading && submit())
  const focusId = useRef('')
  // A moved button loses the focus.
  useEffect(() => {
    if (focusId.current) document.getElementById(focusId.current)?.focus()
    focusId.current = ''
  })
  const colours = listColours(product)
  const add = (image: string) => change((rows) => addRow(rows, { image, alt: '', colour: '' }))
  return (
    <section aria-labelledby="pictures" className="mt-12 border-t border-line pt-8">
      <SectionHead id="pictures" title="Pictures" />
      <form className="flex flex-col items-start gap-6" {...formProps}>
        <ol className="flex w-full max-w-wide flex-col gap-4">
          {toRowFields('pictures', draft, errors, change).map((props) => (
            <li key={props.row.key}>
              <PictureFields
                {...props}
                colours={colours}
                onMove={(by) => {
                  focusId.current = `${by < 0 ? 'up' : 'down'}-picture-${props.row.key}`
                  props.onMove(by)
                }}
              />
            </li>
          ))}
        </ol>
        <FileUpload
          route="addPicture"
          {...pictureFile}
          multiple
          label="Upload pictures"
          hint={`Or drop them here: ${pictureFile.hint}. The first picture is the one in lists, carts and orders.`}
          refuseAll={({ length }) =>
            draft.length + length > maxPictures
              ? `A product can have ${maxPictures} pictures, and this one has ${draft.length}.`
              : ''
          }
          onBusy={setUploading}
          onUploaded={({ image }) => add(image)}
          className="w-full max-w-wide"
        />
        {isRebased && (
          <Alert>Now: {base.map(({ image, alt }) => alt || image).join('; ')}. Yours are above.</Alert>
        )}
        {alert && <Alert>{[alert, errors['pictures']].filter(Boolean).join(' ')}</Alert>}
        <div className="flex flex-wrap gap-3">
          <Button variant="quiet" disabled={draft.length >= maxPictures} onClick={() => add('')}>
            Add a picture by URL
          </Button>
          <BusyButton type="submit" busy={isSaving} disabled={isUploading}>
            Save pictures
          </BusyButton>
        </div>
      </form>
    </section>
  )
}

interface PictureFieldsProps extends RowFieldsProps<Row> {
  /** The colours that the product is sold in. */
  colours: readonly string[]
}

function PictureFields({ row, number, text, colours, onMove, onRemove }: PictureFieldsProps) {
  const { key, image, colour } = row
  const choices = colour && !colours.includes(colour) ? [...colours, colour] : colours
  return (
    <fieldset className="grid items-start gap-4 rounded-card border border-line p-4 md:grid-cols-[9rem_1fr]">
      <legend className="px-1 text-sm font-semibold">Picture {number}</legend>
      <ProductImage
        src={imageUrl.safeParse(image).data ?? ''}
        sizes="9rem"
        alt=""
        className="max-w-36 rounded-control bg-surface"
      />
      <div className="grid gap-3 md:grid-cols-2">
        <TextField label="Image URL" type="url" className="md:col-span-2" {...text('image')} />
        <TextField
          label="Text"
          hint="Describes the picture for people who do not see it. Optional."
          className={choices.length > 0 ? '' : 'md:col-span-2'}
          {...text('alt')}
        />
        {choices.length > 0 && (
          <SelectField label="Colour" hint="Shown first when this colour is chosen." {...text('colour')}>
            <option value="">Any</option>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </SelectField>
        )}
        <div className="flex flex-wrap gap-2 md:col-span-2">
          {(['up', 'down'] as const).map((way) => (
            <Button
              key={way}
              id={`${way}-picture-${key}`}
              variant="quiet"
              size="small"
              aria-label={`Move ${way} picture ${number}`}
              onClick={() => onMove(way === 'up' ? -1 : 1)}
            >
              Move {way}
            </Button>
          ))}
          <Button variant="quiet" size="small" aria-label={`Remove picture ${number}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      </div>
    </fieldset>
  )
}
