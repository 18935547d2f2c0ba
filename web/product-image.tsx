import { pictureLinks } from '../contract/pictures.ts'
import { useSettings } from './router/router.tsx'
import { Picture, type PictureProps } from './ui/picture.tsx'

interface ProductImageProps extends Omit<PictureProps, 'sources'> {
  /** The `image` of a product, a variant or an order. */
  src: string
}

/** The picture of a product, in all its formats and widths if it was uploaded. */
export function ProductImage({ src, ...rest }: ProductImageProps) {
  const { picturesUrl } = useSettings()
  return <Picture {...rest} {...pictureLinks(src, picturesUrl)} />
}
