import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { optionalSetupIds, type SetupItem } from '../../contract/settings.ts'
import { call } from '../api.ts'
import { ConfirmChange } from '../confirm-change.tsx'
import { legalNames } from '../features/content/labels.ts'
import { setupQuery, showSaved } from '../features/settings/queries.ts'
import { SendTest } from '../features/settings/send-test.tsx'
import { SettingsHead } from '../features/settings/tabs.tsx'
import { QueryError } from '../query-error.tsx'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { CheckIcon, CloseIcon, WarningIcon } from '../ui/icons.tsx'
import { SectionSpinner } from '../ui/section-spinner.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Set-up' })

/** Lists everything that the shop needs before it can sell. */
export default function ShopSetup() {
  const setup = useQuery(setupQuery)
  return (
    <>
      <SettingsHead
        title="Set-up"
        note={setup.data ? describe(setup.data.items) : 'What your shop needs before it can sell.'}
      />
      {setup.data ? (
        <ul className="mb-12 divide-y divide-line border-y-2 border-ink">
          {setup.data.items.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ul>
      ) : setup.isError ? (
        <QueryError title="The list could not be loaded" query={setup} />
      ) : (
        <SectionSpinner />
      )}
    </>
  )
}

const optionalIds = new Set<SetupItem['id']>(optionalSetupIds)

function describe(items: SetupItem[]): string {
  const needed = items.filter(({ id }) => !optionalIds.has(id))
  const left = needed.filter(({ state }) => state === 'missing').length
  return left === 0 ? 'Your shop is ready to sell.' : `${left} of ${needed.length} left before you can sell`
}

const names: Record<SetupItem['id'], string> = {
  contact: 'Name and contact',
  ...legalNames,
  placeholders: 'Placeholder texts',
  demo: 'Demo data',
  stock: 'Products',
  payments: 'Payments',
  email: 'Email',
  https: 'Secure address',
  owner: 'Owner',
  charges: 'Shipping and tax',
  'two-step': 'Two-step login',
  logo: 'Logo',
  home: 'Home page',
  post: 'First post',
}

const chips = {
  done: { tone: 'good', icon: CheckIcon, text: 'Done' },
  missing: { tone: 'bad', icon: CloseIcon, text: 'Missing' },
  optional: { tone: 'quiet', icon: WarningIcon, text: 'Optional' },
} as const

function Item({ item: { id, state, text, links, settings, value, action } }: { item: SetupItem }) {
  const { tone, icon, text: label } = chips[state]
  return (
    <li className="grid gap-x-6 gap-y-2 py-4 md:grid-cols-[7rem_minmax(0,1fr)]">
      <div>
        <Chip tone={tone} icon={icon}>
          {label}
        </Chip>
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <h2 className="font-display text-xl font-bold">{names[id]}</h2>
        <p className="max-w-text wrap-anywhere">{text}</p>
        {settings && (
          <p className="text-sm text-quiet">
            {settings.length === 1 ? 'Variable' : 'Variables'}:{' '}
            {settings.map((name, index) => (
              <span key={name}>
                {index > 0 && ', '}
                <code className="text-ink wrap-anywhere">{name}</code>
              </span>
            ))}
          </p>
        )}
        {value && (
          <p className="text-sm text-quiet">
            {value.label}: <code className="text-ink wrap-anywhere">{value.text}</code>{' '}
            <CopyButton {...value} />
          </p>
        )}
        {action === 'remove-placeholders' && <RemovePlaceholders />}
        {action === 'send-test-email' && (
          <div>
            <SendTest draft={{ kind: 'order-received' }} label="Send a test email" />
          </div>
        )}
        {links && (
          <p className="flex flex-wrap gap-x-6 gap-y-2">
            {links.map(({ label, href }) => (
              <a key={href} href={href} className="font-semibold text-signal underline">
                {label}
              </a>
            ))}
          </p>
        )}
      </div>
    </li>
  )
}

function CopyButton({ label, text }: { label: string; text: string }) {
  // Without HTTPS, browsers have no clipboard for pages.
  const [canCopy, setCanCopy] = useState(window.isSecureContext)
  if (!canCopy) return null
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => showToast('success', 'Copied'),
      () => setCanCopy(false),
    )
  return (
    <Button variant="quiet" size="small" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
      Copy
    </Button>
  )
}

/** The document is loaded again, because the footer is a part of it. */
function RemovePlaceholders() {
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({ mutationFn: () => call('removePlaceholders', {}).then(showSaved) })
  return (
    <>
      <p>
        <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
          Remove all placeholder texts
        </Button>
      </p>
      {isAsking && (
        <ConfirmChange
          title="Remove all placeholder texts"
          change={remove}
          input={undefined}
          onClose={() => setAsking(false)}
        >
          Visitors no longer see invented figures, sample posts and links without a target. You can show them
          again on the tab Home.
        </ConfirmChange>
      )}
    </>
  )
}
