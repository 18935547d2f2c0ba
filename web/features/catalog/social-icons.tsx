const networks = [
  { name: 'Facebook', path: 'M11.5 17v-6h2.5M7.5 11h4V8q0-2.5 3-2.5' },
  { name: 'X', path: 'M5 5l10 10M15 5L5 15' },
  {
    name: 'Instagram',
    path: 'M6 4h8q2 0 2 2v8q0 2-2 2H6q-2 0-2-2V6q0-2 2-2ZM10 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Z',
  },
]

/** The specification's icons without a function: said to be links, and said to be off. */
export function SocialIcons() {
  return (
    <ul className="flex gap-2">
      {networks.map(({ name, path }) => (
        <li key={name}>
          <span
            role="link"
            aria-disabled="true"
            aria-label={name}
            className="flex size-7 items-center justify-center rounded-control border border-line"
          >
            <svg
              viewBox="0 0 20 20"
              className="size-5"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinejoin="round"
              aria-hidden="true"
            >
              <path d={path} />
            </svg>
          </span>
        </li>
      ))}
    </ul>
  )
}
