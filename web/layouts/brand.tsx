import { brand } from '../texts.ts'

/** Logo and name of the shop, as a link to the home page. */
export function Brand() {
  return (
    <a href="/" className="flex items-center gap-2.5 text-white">
      <svg viewBox="0 0 64 64" className="size-9" aria-hidden="true">
        <path
          d="M32 3 57.1 17.5v29L32 61 6.9 46.5v-29Z"
          className="fill-signal-bright stroke-signal-bright"
          strokeWidth="4"
          strokeLinejoin="round"
        />
        <circle cx="32" cy="32" r="20" className="fill-ink" />
        <path d="M20 22h24v7.5h-8.2V45h-7.6V29.5H20Z" className="fill-paper" />
      </svg>
      <span className="font-display text-xl font-bold tracking-wide whitespace-nowrap uppercase">
        {brand}
      </span>
    </a>
  )
}
