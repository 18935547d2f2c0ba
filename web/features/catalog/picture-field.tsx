import { useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { NewProduct } from '../../../contract/catalog.ts'
import { maxPictureBytes, pictureSources, pictureTypes } from '../../../contract/pictures.ts'
import { TextField } from '../../ui/field.tsx'
import { Picture } from '../../ui/picture.tsx'
import { FileUpload } from '../../upload.tsx'

interface PictureFieldProps {
  form: UseFormReturn<NewProduct>
  /** Called when an upload starts and ends. The form cannot be sent before its picture has a URL. */
  onBusy: (busy: boolean) => void
  className: string
}

/**
 * Picture URL of a product, typed or set by an upload, with a preview after typing ends. The space of the preview is
 * reserved, so that buttons do not move under the pointer.
 */
export function PictureField({ form, onBusy, className }: PictureFieldProps) {
  const [typing, setTyping] = useState(false)
  const url = NewProduct.shape.image.safeParse(useWatch({ control: form.control, name: 'image' }))
  const shown = url.success && !typing ? url.data : ''
  return (
    <div className={`flex flex-wrap items-start gap-4 ${className}`}>
      <div className="flex grow basis-64 flex-col gap-4">
        <TextField
          label="Image"
          type="url"
          hint="Image URL (http or https)"
          error={form.formState.errors.image?.message}
          onFocus={() => setTyping(true)}
          {...form.register('image', { onBlur: () => setTyping(false) })}
        />
        <FileUpload
          route="addPicture"
          label="Choose an image"
          hint="Or drop one here: JPEG, PNG, WebP or AVIF, up to 12 MB"
          accept={pictureTypes.join(',')}
          refuse={refuseFile}
          processingLabel="Processing"
          onBusy={onBusy}
          onUploaded={({ image }) =>
            form.setValue('image', image, { shouldDirty: true, shouldValidate: true })
          }
        />
      </div>
      <Picture
        src={shown}
        sources={pictureSources(shown)}
        sizes="12rem"
        alt={shown ? 'Preview' : ''}
        className="max-w-48 rounded-card bg-surface"
      />
    </div>
  )
}

function refuseFile({ size, type }: File): string {
  if (size > maxPictureBytes) return 'The file is larger than 12 MB.'
  if (type && !pictureTypes.some((taken) => taken === type)) {
    return 'Unsupported image type. Use JPEG, PNG, WebP or AVIF.'
  }
  return ''
}
