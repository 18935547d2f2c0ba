import { type ComponentProps, useState } from 'react'
import { imageUrl } from '../../../contract/fields.ts'
import { ProductImage } from '../../product-image.tsx'
import { TextField } from '../../ui/field.tsx'
import { FileUpload, pictureFile } from '../../upload.tsx'

interface PictureFieldProps {
  url: string
  /** Attributes of the input, with its validation message. */
  input: ComponentProps<'input'> & { error?: string | undefined }
  onUploaded: (url: string) => void
  /** Called when an upload starts and ends. The form cannot be sent before its picture has a URL. */
  onBusy: (busy: boolean) => void
  className?: string
}

/**
 * Picture URL of a product, typed or set by an upload, with a preview after typing ends. The space of the preview is
 * reserved, so that buttons do not move under the pointer.
 */
export function PictureField({ url, input, onUploaded, onBusy, className = '' }: PictureFieldProps) {
  const [typing, setTyping] = useState(false)
  const picture = imageUrl.safeParse(url)
  const shown = picture.success && !typing ? picture.data : ''
  return (
    <div className={`flex flex-wrap items-start gap-4 ${className}`}>
      <div className="flex grow basis-64 flex-col gap-4">
        <TextField
          label="Image"
          type="url"
          hint="Image URL (http or https)"
          {...input}
          onFocus={() => setTyping(true)}
          onBlur={(event) => {
            setTyping(false)
            input.onBlur?.(event)
          }}
        />
        <FileUpload
          route="addPicture"
          {...pictureFile}
          label="Choose an image"
          hint={`Or drop one here: ${pictureFile.hint}`}
          onBusy={onBusy}
          onUploaded={({ image }) => onUploaded(image)}
        />
      </div>
      <ProductImage
        src={shown}
        sizes="12rem"
        alt={shown ? 'Preview' : ''}
        className="max-w-48 rounded-card bg-surface"
      />
    </div>
  )
}
