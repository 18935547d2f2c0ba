import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import { pictureLinks } from '../../../contract/pictures.ts'
import { ProductImage } from '../../product-image.tsx'
import { isPlainClick } from '../../router/navigation.ts'
import { useSettings } from '../../router/router.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { orderPictures, type PictureChoice } from './picture-order.ts'
import { frameClass, pictureSizes } from './product-overview.tsx'

/**
 * Several pictures of a product beside each other, which the browser scrolls. Without scripts each thumbnail links to its
 * picture, and each picture to its file.
 */
export function Gallery({ product, image, colour }: PictureChoice & { product: Product }) {
  const { picturesUrl } = useSettings()
  const strip = useRef<HTMLUListElement>(null)
  const thumbnails = useRef<HTMLUListElement>(null)
  // Null until this code is loaded.
  const [shown, setShown] = useState<number | null>(null)
  const [zoomed, setZoomed] = useState<number | null>(null)
  const pictures = orderPictures(product, { image, colour }).map((picture, index) => ({
    image: picture.image,
    alt: picture.alt || (index === 0 ? product.name : `${product.name}, picture ${index + 1}`),
  }))
  const first = pictures[0]?.image
  const firstBefore = useRef(first)

  // The pictures of another colour are at the start.
  useLayoutEffect(() => {
    if (firstBefore.current !== first) scrollToPicture(strip.current, 0, 'instant')
    firstBefore.current = first
  })
  // The strip may have been scrolled before this code was loaded.
  useEffect(() => setShown(readPosition(strip.current)), [])
  useEffect(() => {
    const row = thumbnails.current
    const thumbnail = row?.children[shown ?? 0]
    // Not `scrollIntoView`, which would scroll the page as well.
    if (row && thumbnail instanceof HTMLElement)
      row.scrollTo({ left: thumbnail.offsetLeft - row.clientWidth / 2 })
  }, [shown])

  const moveWithArrows = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    const links = [...(strip.current?.querySelectorAll('a') ?? [])]
    const next = links.findIndex((link) => link === event.target) + step
    if (step === 0 || !links[next]) return
    event.preventDefault()
    focusLink(strip.current, next)
    scrollToPicture(strip.current, next)
  }
  return (
    // A grid, because a column of its parent must not become as wide as all pictures together.
    <div className="has-thumbnails grid grid-cols-1 gap-3">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its links have the focus */}
      <ul
        ref={strip}
        aria-label="Pictures"
        onScroll={() => setShown(readPosition(strip.current))}
        onKeyDown={moveWithArrows}
        className={`flex snap-x snap-mandatory overflow-x-auto scroll-smooth motion-reduce:scroll-auto [scrollbar-width:none] ${frameClass}`}
      >
        {pictures.map((picture, index) => (
          <li
            key={picture.image}
            id={`picture-${index + 1}`}
            className="relative w-full shrink-0 snap-start snap-always p-2 md:p-8"
          >
            <a
              href={pictureLinks(picture.image, picturesUrl).src}
              // Without scripts all of them can have the focus.
              tabIndex={shown !== null && index !== shown ? -1 : undefined}
              onClick={(event) => takeClick(event) && setZoomed(index)}
              className="block -outline-offset-2"
            >
              <ProductImage
                src={picture.image}
                sizes={pictureSizes}
                alt={picture.alt}
                className="product-picture"
                {...(index === 0 ? { fetchPriority: 'high' } : { loading: 'lazy' })}
              />
              <span
                className="absolute right-2 bottom-2 flex size-11 items-center justify-center rounded-control border
                  border-line bg-surface"
              >
                <SearchIcon />
                <span className="sr-only"> Enlarge</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <ul
        ref={thumbnails}
        aria-label="Choose a picture"
        className="relative -m-1.5 flex gap-2 overflow-x-auto p-1.5 [scrollbar-width:none]"
      >
        {pictures.map((picture, index) => (
          <li key={picture.image}>
            <a
              href={`#picture-${index + 1}`}
              aria-current={index === (shown ?? 0) ? 'true' : undefined}
              onClick={(event) => takeClick(event) && scrollToPicture(strip.current, index)}
              className="flex h-12 w-16 items-center rounded-control border border-line bg-surface p-1 hover:border-ink
                aria-current:border-2 aria-current:border-ink"
            >
              <ProductImage src={picture.image} sizes="4rem" alt="" className="h-full" />
              <span className="sr-only">{`Picture ${index + 1} of ${pictures.length}`}</span>
            </a>
          </li>
        ))}
      </ul>
      {zoomed !== null && (
        <ZoomDialog
          pictures={pictures}
          index={zoomed}
          onShow={setZoomed}
          onClose={() => {
            setZoomed(null)
            scrollToPicture(strip.current, zoomed, 'instant')
            focusLink(strip.current, zoomed)
          }}
        />
      )}
    </div>
  )
}

const scrollToPicture = (strip: HTMLElement | null, index: number, behavior: ScrollBehavior = 'auto') =>
  strip?.scrollTo({ left: index * strip.clientWidth, behavior })

/** Returns the index of the visible picture. */
const readPosition = (strip: HTMLElement | null): number =>
  strip ? Math.round(strip.scrollLeft / strip.clientWidth) : 0

const focusLink = (strip: HTMLElement | null, index: number) =>
  strip?.querySelectorAll('a')[index]?.focus({ preventScroll: true })

/** Prevents that a link is followed. Returns false for a click that opens another tab. */
function takeClick(event: MouseEvent): boolean {
  if (!isPlainClick(event)) return false
  event.preventDefault()
  return true
}

interface ZoomDialogProps {
  pictures: { image: string; alt: string }[]
  index: number
  onShow: (index: number) => void
  onClose: () => void
}

/** A picture as large as the window, or at twice this size. */
function ZoomDialog({ pictures, index, onShow, onClose }: ZoomDialogProps) {
  const [isLarge, setLarge] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const picture = pictures[index]
  useLayoutEffect(() => {
    const region = button.current?.parentElement
    // Twice as large, so the middle of the picture is half of the visible size further.
    if (isLarge) region?.scrollTo({ left: region.clientWidth / 2, top: region.clientHeight / 2 })
  }, [isLarge])
  if (!picture) return null
  const go = (by: number) => {
    setLarge(false)
    onShow((index + by + pictures.length) % pictures.length)
  }
  return (
    <Dialog
      title={picture.alt}
      wide
      onClose={onClose}
      actions={
        <>
          <p className="mr-auto self-center text-quiet tabular-nums">
            {index + 1} of {pictures.length}
          </p>
          <Button variant="quiet" onClick={() => go(-1)}>
            Previous
          </Button>
          <Button variant="quiet" onClick={() => go(1)}>
            Next
          </Button>
        </>
      }
    >
      <button
        ref={button}
        type="button"
        aria-label={isLarge ? 'Zoom out' : 'Zoom in'}
        onClick={() => setLarge(!isLarge)}
        className={`block ${isLarge ? 'w-[200%] cursor-zoom-out' : 'w-full cursor-zoom-in'}`}
      >
        <ProductImage
          key={picture.image}
          src={picture.image}
          sizes="100vw"
          alt=""
          className={isLarge ? '' : 'max-h-[55svh]'}
        />
      </button>
    </Dialog>
  )
}
