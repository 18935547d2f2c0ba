import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { SettingGroup, SettingValue } from '../../../contract/settings.ts'
import { call, readMessage, type Versioned } from '../../api.ts'
import { type Reading, useDraft } from '../../draft.ts'
import { QueryError } from '../../query-error.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { LeaveQuestion } from '../../ui/leave-question.tsx'
import { SectionSpinner } from '../../ui/section-spinner.tsx'
import { settingsQuery, showSaved } from './queries.ts'

interface LoadedProps<Group extends SettingGroup> {
  name: Group
  children: (loaded: Versioned<SettingValue<Group>>) => ReactNode
}

/** Reads a group of settings, and shows its form. */
export function LoadedSettings<Group extends SettingGroup>({ name, children }: LoadedProps<Group>) {
  const query = useQuery(settingsQuery(name))
  if (query.data) return children(query.data)
  if (query.isError) return <QueryError title="The settings could not be loaded" query={query} />
  return <SectionSpinner />
}

interface DraftOptions<Draft, Body> {
  draft: Draft
  etag: string
  read: (draft: Draft) => Reading<Body>
  save: (body: Body, headers: { 'if-match': string }) => Promise<unknown>
}

/** Edits a group of settings. After a save the document is loaded again. */
export const useSettingsDraft = <Draft, Body>({ draft, etag, read, save }: DraftOptions<Draft, Body>) =>
  useDraft<Draft, Body>({
    loaded: { value: draft, version: etag },
    read,
    async save(body, version) {
      await save(body, { 'if-match': version })
      return showSaved()
    },
    savedText: 'Settings saved',
  })

interface SettingsFormProps {
  name: SettingGroup
  editor: Pick<ReturnType<typeof useDraft<unknown, unknown>>, 'isDirty' | 'isSaving' | 'alert' | 'formProps'>
  etag: string
  /** Whether something is saved, so that the defaults can be restored. */
  isSaved: boolean
  busy?: boolean
  /** Restores something else than the whole group. */
  restoring?: Restoring
  preview: ReactNode
  children: ReactNode
}

interface Restoring {
  label: string
  /** The effect, as a sentence. */
  effect: string
  restore: (headers: { 'if-match': string }) => Promise<unknown>
}

/** A form of settings: at 1280 px with its preview on the right, on a phone with the preview below the fields. */
export function SettingsForm({
  name,
  editor,
  etag,
  isSaved,
  busy = false,
  restoring = {
    label: 'Restore the defaults',
    effect: 'All settings on this page get the values of a new shop.',
    restore: (headers) => call('resetSettings', { params: { name }, headers }),
  },
  preview,
  children,
}: SettingsFormProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <form {...editor.formProps} className="grid gap-8 pb-12 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <LeaveQuestion isUnsaved={editor.isDirty && !editor.isSaving} />
      <div className="flex min-w-0 flex-col gap-8">{children}</div>
      <section aria-label="Preview" className="min-w-0">
        <div className="flex flex-col gap-4 xl:sticky xl:top-32">
          <h2 className="font-display text-xl font-bold">Preview</h2>
          {preview}
        </div>
      </section>
      <div className="sticky bottom-0 z-1 -mx-2 flex flex-col gap-3 border-t border-line bg-paper px-2 py-3 low:static xl:col-span-2">
        {editor.alert && <Alert>{editor.alert}</Alert>}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={editor.isSaving} disabled={busy}>
            Save
          </Button>
          {isSaved && (
            <Button variant="quiet" disabled={editor.isSaving} onClick={() => setAsking(true)}>
              {restoring.label}
            </Button>
          )}
        </div>
      </div>
      {isAsking && <RestoreDialog {...restoring} etag={etag} onClose={() => setAsking(false)} />}
    </form>
  )
}

function RestoreDialog({
  label,
  effect,
  restore,
  etag,
  onClose,
}: Restoring & { etag: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  async function run() {
    setBusy(true)
    try {
      await restore({ 'if-match': etag })
      await showSaved()
    } catch (error) {
      setFailure(readMessage(error))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog title={label} busy={busy} failure={failure} onYes={() => void run()} onClose={onClose}>
      {effect}
    </ConfirmDialog>
  )
}

/** A titled group of fields. */
export const Fields = ({
  title,
  note,
  children,
}: {
  title: string
  note?: ReactNode
  children: ReactNode
}) => (
  <fieldset className="grid gap-4 md:grid-cols-2">
    <legend className="mb-2 font-display text-xl font-bold">{title}</legend>
    {note && <p className="max-w-text text-quiet md:col-span-2">{note}</p>}
    {children}
  </fieldset>
)
