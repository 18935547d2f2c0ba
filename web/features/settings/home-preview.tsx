import { defaultHero } from '../../../contract/default-settings.ts'
import type { Banner, Stat } from '../../../contract/settings.ts'
import { ProductImage } from '../../product-image.tsx'

interface HomePreviewProps {
  lines: string[]
  text: string
  button: string
  picture: string
  banners: (Banner & { key: number })[]
  /** Number of the chosen products. */
  productCount: number
  stats: (Stat & { key: number })[]
}

/** A sample of the home page as it is typed. */
export const HomePreview = ({
  lines,
  text,
  button,
  picture,
  banners,
  productCount,
  stats,
}: HomePreviewProps) => (
  <div className="overflow-hidden rounded-card border border-line bg-paper">
    <div className="on-ink flex flex-col items-start gap-3 bg-ink p-4 text-ink-quiet">
      <p className="font-display text-3xl font-bold whitespace-pre-line text-white uppercase wrap-anywhere">
        {(lines.length > 0 ? lines : defaultHero.lines).join('\n')}
      </p>
      {picture && <ProductImage src={picture} sizes="20rem" alt="" className="rounded-card" />}
      <p className="wrap-anywhere">{text.trim() || defaultHero.text}</p>
      <span className="inline-flex min-h-11 items-center rounded-control bg-signal-bright px-5 font-display text-lg font-semibold text-ink">
        {button.trim() || defaultHero.button}
      </span>
    </div>
    <div className="flex flex-col gap-3 p-4">
      {banners.map((banner) => (
        <div key={banner.key} className="rounded-card border border-line bg-surface p-3 wrap-anywhere">
          {banner.picture && <ProductImage src={banner.picture} sizes="18rem" alt="" />}
          <p className="font-display text-xl font-bold">{banner.title || 'Banner'}</p>
          <p className="text-sm text-quiet">{banner.text}</p>
        </div>
      ))}
      <p className="text-sm text-quiet">
        {productCount > 0
          ? `${productCount} chosen ${productCount === 1 ? 'product' : 'products'}`
          : 'The first four products'}
      </p>
      {stats.length > 0 && (
        <ul className="grid grid-cols-2 gap-3 border-t-2 border-ink pt-3">
          {stats.map(({ key, figure, label }) => (
            <li key={key} className="wrap-anywhere">
              <span className="block font-display text-2xl font-bold">{figure}</span>
              <span className="text-sm text-quiet">{label}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  </div>
)
