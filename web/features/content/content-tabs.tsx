import { LinkButton } from '../../ui/button.tsx'
import { kindNames } from './labels.ts'

const tabs = [
  { href: kindNames.page.list, name: kindNames.page.many },
  { href: kindNames.post.list, name: kindNames.post.many },
  { href: '/dashboard/redirects', name: 'Redirects' },
]

/** Links between the lists of the dealer's own content. */
export const ContentTabs = ({ shown }: { shown: string }) => (
  <nav aria-label="Content" className="mb-6 overflow-x-auto">
    <ul className="flex gap-2">
      {tabs.map(({ href, name }) => (
        <li key={href}>
          <LinkButton
            size="small"
            variant={name === shown ? 'ink' : 'quiet'}
            aria-current={name === shown ? 'page' : undefined}
            href={href}
          >
            {name}
          </LinkButton>
        </li>
      ))}
    </ul>
  </nav>
)
