import { useSettings } from '../router/router.tsx'
import { companyLine, footerColumns } from '../texts.ts'
import { Brand } from './navbar.tsx'

export function Footer() {
  const { withdrawal } = useSettings()
  return (
    <footer className="on-ink mt-20 bg-ink text-ink-quiet">
      <div className="page-width grid grid-cols-2 gap-x-6 gap-y-10 py-12 md:grid-cols-[2fr_1fr_1fr_1fr] md:py-16">
        <div className="flex max-w-72 flex-col gap-4 max-md:col-span-2">
          <Brand />
          <p>{companyLine}</p>
          {withdrawal && (
            <a href="/withdraw" className="underline">
              Withdraw from contract
            </a>
          )}
        </div>
        {footerColumns.map(({ title, links }) => (
          <div key={title}>
            <h2 className="label mb-3 text-white">{title}</h2>
            <ul className="flex flex-col gap-2">
              {links.map((name) => (
                <li key={name}>
                  {/* The specification's links without a function: announced as disabled links. */}
                  <span role="link" aria-disabled="true">
                    {name}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </footer>
  )
}
