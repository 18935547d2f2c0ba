import { type FocusEvent, useRef } from 'react'
import { defaultEmailTexts, type EmailTextKind, emailTextKinds } from '../../contract/email-texts.ts'
import { type EmailsGroup, EmailTexts } from '../../contract/settings.ts'
import { type Errors, readBody } from '../draft.ts'
import { toFields } from '../editor-form.tsx'
import { EmailPreview } from '../features/settings/email-preview.tsx'
import { saveSettings } from '../features/settings/queries.ts'
import { LoadedSettings, type SettingsEditor, SettingsPage } from '../features/settings/settings-form.tsx'
import { SettingsHead } from '../features/settings/tabs.tsx'
import { useLocation } from '../router/router.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { CheckIcon } from '../ui/icons.tsx'

export const meta = () => ({ title: 'Emails' })

const path = '/dashboard/shop/emails'

/** The texts of emails: the list of all, or the editor of one. */
export default function ShopEmails() {
  const { search } = useLocation()
  const chosen = new URLSearchParams(search).get('kind')
  const kind = emailTextKinds.find((each) => each === chosen)
  if (kind) return <EmailEditor key={kind} kind={kind} />
  return (
    <>
      <SettingsHead title="Emails" note="Subject and texts of the emails that customers get." />
      <LoadedSettings name="emails">{({ value }) => <EmailList value={value} />}</LoadedSettings>
    </>
  )
}

const groups = ['Orders', 'Returns', 'Accounts'] as const

const EmailList = ({ value }: { value: EmailsGroup }) => (
  <div className="grid gap-8 pb-12 xl:grid-cols-3">
    {groups.map((group) => (
      <section key={group} aria-labelledby={group}>
        <h2 id={group} className="mb-2 font-display text-xl font-bold">
          {group}
        </h2>
        <ul className="divide-y divide-line border-y-2 border-ink">
          {emailTextKinds
            .filter((kind) => defaultEmailTexts[kind].group === group)
            .map((kind) => (
              <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
                <a href={`${path}?kind=${kind}`} className="font-semibold text-signal underline">
                  {defaultEmailTexts[kind].name}
                </a>
                {value[kind] && (
                  <Chip tone="good" icon={CheckIcon}>
                    Changed
                  </Chip>
                )}
              </li>
            ))}
        </ul>
      </section>
    ))}
  </div>
)

interface Draft {
  subject: string
  before: string
  after: string
}
type Field = keyof Draft

function toDraft(kind: EmailTextKind, value: EmailsGroup): Draft {
  const usual = defaultEmailTexts[kind]
  const { subject = usual.subject, before = usual.before, after = usual.after } = value[kind] ?? {}
  return { subject, before, after }
}

const EmailEditor = ({ kind }: { kind: EmailTextKind }) => (
  <SettingsPage
    name="emails"
    title={defaultEmailTexts[kind].name}
    note="Links, tables and addresses are fixed. Queued emails get the new texts as well."
    toDraft={(value) => toDraft(kind, value)}
    read={(draft, value) => {
      const { body, errors } = readBody(EmailTexts, draft)
      return errors ? { errors } : { body: { ...value, [kind]: body } }
    }}
    restorePart={({ [kind]: saved, ...others }) => ({
      isSaved: saved !== undefined,
      label: 'Restore the default texts',
      effect: 'Subject and texts of this email become those of a new shop.',
      restore: (headers) => saveSettings('emails', others, headers),
    })}
    preview={(draft) => <EmailPreview draft={{ kind, ...draft }} />}
  >
    {(editor) => <EmailFields {...editor} kind={kind} />}
  </SettingsPage>
)

function EmailFields({ kind, ...editor }: SettingsEditor<Draft> & { kind: EmailTextKind }) {
  const { draft, change } = editor
  const focused = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  // The server names the fields of all emails.
  const errors: Errors = Object.fromEntries(
    Object.entries(editor.errors).map(([field, message]) => [field.replace(`${kind}.`, ''), message]),
  )
  const { text, set } = toFields<Draft>({ draft, errors, change })
  const field = (name: Field) => ({
    ...text(name),
    name,
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      focused.current = currentTarget
    },
  })
  /** Inserts a placeholder into the text that had the focus last. */
  const insert = (placeholder: string) => {
    const input = focused.current
    const name = (input?.name ?? 'before') as Field
    const start = input?.selectionStart ?? draft[name].length
    const end = input?.selectionEnd ?? start
    set({ [name]: draft[name].slice(0, start) + placeholder + draft[name].slice(end) })
    input?.focus()
    const after = start + placeholder.length
    requestAnimationFrame(() => input?.setSelectionRange(after, after))
  }
  return (
    <>
      <div>
        <LinkButton href={path} variant="quiet" size="small">
          All emails
        </LinkButton>
      </div>
      <TextField
        label="Subject"
        hint="At most 120 characters. Blank: the default one"
        {...field('subject')}
      />
      <TextArea
        label="Text before"
        rows={6}
        hint="Above links and tables. A blank line begins a paragraph."
        {...field('before')}
      />
      <TextArea label="Text after" rows={6} hint="Below links and tables" {...field('after')} />
      <div role="group" aria-labelledby="placeholders">
        <p id="placeholders" className="mb-2 text-sm font-semibold">
          Insert a value of the order or the shop
        </p>
        <div className="flex flex-wrap gap-2">
          {defaultEmailTexts[kind].placeholders.map((name) => (
            <Button key={name} variant="quiet" size="small" onClick={() => insert(`{${name}}`)}>
              {`{${name}}`}
            </Button>
          ))}
        </div>
      </div>
    </>
  )
}
