import { ProductImage } from '../../product-image.tsx'
import { Button } from '../../ui/button.tsx'
import { FileUpload, pictureFile } from '../../upload.tsx'

interface PictureFieldProps {
  label: string
  hint: string
  isOnDark?: boolean
  image: string
  error: string | undefined
  onBusy: (busy: boolean) => void
  onChange: (image: string) => void
}

/** A picture of the shop: uploaded, shown and removed. */
export function PictureField({
  label,
  hint,
  isOnDark = false,
  image,
  error,
  onBusy,
  onChange,
}: PictureFieldProps) {
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-2">
      <p className="text-sm font-semibold">{label}</p>
      {image && (
        <div className="flex items-center gap-3">
          <div
            className={`flex h-24 w-40 items-center rounded-card border border-line p-3 ${isOnDark ? 'bg-ink' : 'bg-surface'}`}
          >
            <ProductImage src={image} sizes="10rem" alt={label} className="max-h-full" />
          </div>
          <Button variant="quiet" size="small" aria-label={`Remove: ${label}`} onClick={() => onChange('')}>
            Remove
          </Button>
        </div>
      )}
      <FileUpload
        route="addPicture"
        {...pictureFile}
        label={image ? 'Choose another image' : 'Choose an image'}
        hint={`${hint} ${pictureFile.hint}`}
        onBusy={onBusy}
        onUploaded={(uploaded) => onChange(uploaded.image)}
      />
      <p aria-live="polite" className="text-sm font-semibold text-bad">
        {error}
      </p>
    </div>
  )
}
