import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { SettingGroup, SettingValue } from '../../../contract/settings.ts'
import { call, type Versioned } from '../../api.ts'
import { ConfirmChange } from '../../confirm-change.tsx'
import { type Reading, rebaseFields, useDraft } from '../../draft.ts'
import { rebasedText, toFields } from '../../editor-form.tsx'
import { useListChange } from '../../list-change.ts'
import { QueryError } from '../../query-error.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { LeaveQuestion } from '../../ui/leave-question.tsx'
import { SectionSpinner } from '../../ui/section-spinner.tsx'
import { useUploads } from '../../upload.tsx'
import { type IfMatch, saveSettings, settingsQuery, showSaved } from './queries.ts'
import { SettingsHead } from './tabs.tsx'

interface LoadedProps<Group extends SettingGroup> {
  name: Group
  children: (loaded: Versioned<SettingValue<Group>>) => ReactNode
}

/** Reads a group of settings, and shows it. */
export function LoadedSettings<Group extends SettingGroup>({ name, children }: LoadedProps<Group>) {
  const query = useQuery(settingsQuery(name))
  if (query.data) return children(query.data)
  if (query.isError) return <QueryError title="The settings could not be loaded" query={query} />
  return <SectionSpinner />
}

/** Draft of a form, with the properties of its fields. */
export type SettingsEditor<Draft extends object> = Pick<
  ReturnType<typeof useDraft<Draft, unknown>>,
  'draft' | 'errors' | 'change'
> &
  ReturnType<typeof toFields<Draft>> & {
    /** Called when an upload begins and when it ends. Nothing can be saved in between. */
    onBusy: (busy: boolean) => void
  }

interface FormProps<Group extends SettingGroup, Draft extends object> {
  name: Group
  toDraft: (value: SettingValue<Group>) => Draft
  /** @param value the saved settings */
  read: (draft: Draft, value: SettingValue<Group>) => Reading<SettingValue<Group>>
  /** Restores a part of the group. Without it, the whole group is restored. */
  restorePart?: (value: SettingValue<Group>) => Restoring & { isSaved: boolean }
  preview: (draft: Draft) => ReactNode
  /** Outside of the form, so that it can have a form of its own. */
  dialog?: (editor: SettingsEditor<Draft>) => ReactNode
  children: (editor: SettingsEditor<Draft>) => ReactNode
}

interface PageProps<Group extends SettingGroup, Draft extends object> extends FormProps<Group, Draft> {
  title: string
  note: string
}

/** The screen of a group of settings, whose draft is edited and saved whole. After a save the document is loaded again. */
export const SettingsPage = <Group extends SettingGroup, Draft extends object>({
  title,
  note,
  ...form
}: PageProps<Group, Draft>) => (
  <>
    <SettingsHead title={title} note={note} />
    <LoadedSettings name={form.name}>{(loaded) => <SettingsForm {...form} {...loaded} />}</LoadedSettings>
  </>
)

/** At 1280 px the form has its preview on the right, on a phone below the fields. */
function SettingsForm<Group extends SettingGroup, Draft extends object>({
  name,
  value,
  etag,
  toDraft,
  read,
  restorePart,
  preview,
  dialog,
  children,
}: FormProps<Group, Draft> & Versioned<SettingValue<Group>>) {
  const { isUploading, onBusy } = useUploads()
  const [isAsking, setAsking] = useState(false)
  const save = useListChange(
    settingsQuery(name).queryKey,
    ({ body, version }: { body: SettingValue<Group>; version: string }) =>
      saveSettings(name, body, { 'if-match': version }).then(showSaved),
  )
  const draft = useDraft<Draft, SettingValue<Group>>({
    loaded: { value: toDraft(value), version: etag },
    read: (typed) => read(typed, value),
    save: (body, version) => save.mutateAsync({ body, version }),
    savedText: 'Settings saved',
    rebase: rebaseFields,
  })
  const editor = {
    ...draft,
    ...toFields<Draft>(draft),
    onBusy,
  }
  const { isSaved, ...restoring } = restorePart?.(value) ?? {
    isSaved: Object.keys(value).length > 0,
    label: 'Restore the defaults',
    effect: 'All settings on this page get the values of a new shop.',
    restore: (headers: IfMatch) => call('resetSettings', { params: { name }, headers }),
  }
  const restore = useMutation({
    mutationFn: () => restoring.restore({ 'if-match': etag }).then(showSaved),
  })
  return (
    <>
      <form {...draft.formProps} className="grid gap-8 pb-12 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <LeaveQuestion isUnsaved={draft.isDirty && !draft.isSaving && !restore.isPending} />
        <div className="flex min-w-0 flex-col gap-8">{children(editor)}</div>
        <section aria-label="Preview" className="min-w-0">
          <div className="flex flex-col gap-4 xl:sticky xl:top-32">
            <h2 className="font-display text-xl font-bold">Preview</h2>
            {preview(draft.draft)}
          </div>
        </section>
        <div className="sticky bottom-0 z-1 -mx-2 flex flex-col gap-3 border-t border-line bg-paper px-2 py-3 low:static xl:col-span-2">
          {draft.isRebased && <Alert>{rebasedText}</Alert>}
          {draft.alert && <Alert>{draft.alert}</Alert>}
          <div className="flex flex-wrap gap-3">
            <BusyButton type="submit" busy={draft.isSaving} disabled={isUploading}>
              Save
            </BusyButton>
            {isSaved && (
              <Button
                variant="quiet"
                disabled={draft.isSaving || restore.isPending}
                onClick={() => {
                  restore.reset()
                  setAsking(true)
                }}
              >
                {restoring.label}
              </Button>
            )}
          </div>
        </div>
        {isAsking && (
          <ConfirmChange
            title={restoring.label}
            change={restore}
            input={undefined}
            onClose={() => setAsking(false)}
          >
            {restoring.effect}
          </ConfirmChange>
        )}
      </form>
      {dialog?.(editor)}
    </>
  )
}

interface Restoring {
  label: string
  /** The effect, as a sentence. */
  effect: string
  restore: (headers: IfMatch) => Promise<unknown>
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
