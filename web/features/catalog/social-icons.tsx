import type { Product } from '../../../contract/catalog.ts'
import { productPath } from '../../../contract/product-path.ts'

interface Network {
  name: string
  /** Builds the network's URL for sharing a page. */
  share: (url: string, text: string) => string
  icon: string
}

const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

const networks: Network[] = [
  {
    name: 'Facebook',
    share: (u) => `https://www.facebook.com/sharer/sharer.php?${query({ u })}`,
    icon: 'M11 17.5V7q0-3 3.5-3M7 10.5h7',
  },
  {
    name: 'X',
    share: (url, text) => `https://x.com/intent/post?${query({ url, text })}`,
    icon: 'M4.5 4l11 12M15.5 4l-11 12',
  },
  {
    name: 'WhatsApp',
    share: (url, text) => `https://wa.me/?${query({ text: `${text} ${url}` })}`,
    icon: 'M3 17l1.2-4a7 7 0 1 1 2.8 2.8ZM8 7q0 5 5 5.5',
  },
]

/** Shares a product's page, with its name, on the networks that riders use. */
export function SocialIcons({ product }: { product: Product }) {
  const url = window.location.origin + productPath(product)
  return (
    <ul className="flex gap-2">
      {networks.map(({ name, share, icon }) => (
        <li key={name}>
          <a
            href={share(url, product.name)}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`Share on ${name}`}
            title={`Share on ${name}`}
            className="flex size-9 items-center justify-center rounded-control border border-edge text-ink hover:border-ink hover:bg-shade"
          >
            <svg
              viewBox="0 0 20 20"
              className="size-5"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
              aria-hidden="true"
            >
              <path d={icon} />
            </svg>
          </a>
        </li>
      ))}
    </ul>
  )
}
