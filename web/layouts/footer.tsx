import { useSettings } from '../router/router.tsx'
import { Brand } from './navbar.tsx'

export function Footer() {
  const { withdrawal, shop, legalPages } = useSettings()
  return (
    <footer className="on-ink mt-20 bg-ink text-ink-quiet pointer-coarse:[&_a]:inline-flex pointer-coarse:[&_a]:min-h-11 pointer-coarse:[&_a]:items-center">
      <div className="page-width grid grid-cols-2 gap-x-6 gap-y-10 py-12 md:flex md:py-16">
        <div className="flex flex-col gap-4 max-md:col-span-2 md:flex-2">
          <Brand />
          <p className="max-w-72 wrap-anywhere">{shop.tagline}</p>
          {withdrawal && (
            <a href="/withdraw" className="underline">
              Withdraw from contract
            </a>
          )}
          {shop.social.length > 0 && (
            <ul className="flex max-w-72 flex-wrap gap-x-4 gap-y-2">
              {shop.social.map(({ label, href }) => (
                <li key={href}>
                  <a href={href} rel="me" className="underline">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
        {shop.columns.map(({ title, links }, column) => (
          // oxlint-disable-next-line react/no-array-index-key -- titles may repeat
          <div key={column} className="md:flex-1">
            <h2 className="label mb-3 text-white wrap-anywhere">{title}</h2>
            <ul className="flex flex-col gap-2">
              {links.map(({ label, href }, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- labels may repeat
                <li key={index} className="wrap-anywhere">
                  {href ? (
                    <a href={href} className="hover:text-white hover:underline">
                      {label}
                    </a>
                  ) : (
                    // The specification's links without a function: announced as disabled links.
                    <span role="link" aria-disabled="true">
                      {label}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <p className="page-width flex flex-wrap gap-3 pb-12 empty:hidden">
        {legalPages.map(({ title, path }) => (
          <a key={path} href={path} className="underline">
            {title}
          </a>
        ))}
      </p>
    </footer>
  )
}
