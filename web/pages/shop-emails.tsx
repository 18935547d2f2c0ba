import { type FocusEvent, useRef } from 'react'
import { defaultEmailTexts, type EmailTextKind, emailTextKinds } from '../../contract/email-texts.ts'
import { EmailsGroup } from '../../contract/settings.ts'
import { call, type Versioned } from '../api.ts'
import { type Errors, readBody } from '../draft.ts'
import { toFields } from '../editor-form.tsx'
import { EmailPreview } from '../features/settings/email-preview.tsx'
import { LoadedSettings, SettingsForm, useSettingsDraft } from '../features/settings/settings-form.tsx'
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
  return (
    <>
      <SettingsHead
        title={kind ? defaultEmailTexts[kind].name : 'Emails'}
        note={
          kind
            ? 'Links, tables and addresses are fixed. Queued emails get the new texts as well.'
            : 'Subject and texts of the emails that customers get.'
        }
      />
      <LoadedSettings name="emails">
        {(loaded) =>
          kind ? <Editor key={kind} {...loaded} kind={kind} /> : <EmailList value={loaded.value} />
        }
      </LoadedSettings>
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

function Editor({ value, etag, kind }: Versioned<EmailsGroup> & { kind: EmailTextKind }) {
  const focused = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const editor = useSettingsDraft<Draft, EmailsGroup>({
    draft: toDraft(kind, value),
    etag,
    read: (draft) => readBody(EmailsGroup, { ...value, [kind]: draft }),
    save: (body, headers) => call('saveEmailSettings', { headers, body }),
  })
  const { draft, change } = editor
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
  const { [kind]: saved, ...others } = value
  return (
    <SettingsForm
      name="emails"
      editor={editor}
      etag={etag}
      isSaved={saved !== undefined}
      restoring={{
        label: 'Restore the default texts',
        effect: 'Subject and texts of this email become those of a new shop.',
        restore: (headers) => call('saveEmailSettings', { headers, body: others }),
      }}
      preview={<EmailPreview draft={{ kind, ...draft }} />}
    >
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
    </SettingsForm>
  )
}
