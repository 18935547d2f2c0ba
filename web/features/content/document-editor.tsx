import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  type DocumentKind,
  documentFolders,
  EditedDocument,
  type LegalKind,
  legalKinds,
  type StoredDocument,
} from '../../../contract/documents.ts'
import type { Versioned } from '../../api.ts'
import { readBody, rebaseFields, useDraft } from '../../draft.ts'
import { toFields } from '../../editor-form.tsx'
import { formDraft } from '../../form-draft.ts'
import { ProductImage } from '../../product-image.tsx'
import { navigate } from '../../router/navigation.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { LeaveQuestion } from '../../ui/leave-question.tsx'
import { FileUpload, pictureFile, useUploads } from '../../upload.tsx'
import { readSession, useUser } from '../identity/session.ts'
import { kindNames, legalNames } from './labels.ts'
import { MarkdownField } from './markdown-field.tsx'
import { Preview } from './preview.tsx'
import { PublishActions } from './publish-actions.tsx'
import { useAddDocument, useSaveDocument } from './queries.ts'
import { VersionList } from './version-list.tsx'

/** A document as it is typed. */
interface Draft {
  title: string
  slug: string
  legalKind: LegalKind | ''
  summary: string
  category: string
  image: string
  body: string
}

const empty: Draft = { title: '', slug: '', legalKind: '', summary: '', category: '', image: '', body: '' }

const toDraft = ({ text, slug, legalKind }: StoredDocument): Draft => ({
  ...text,
  slug,
  legalKind: legalKind ?? '',
})

/** Unsaved text when the session ends, with the stored text that it changes. Without a version there is none. */
const blank = { draft: empty, base: empty, version: '' }

/** Addresses have plain letters. Blank for a blank title. */
const suggestSlug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replaceAll(/^-|-$/g, '')

interface DocumentEditorProps {
  kind: DocumentKind
  /** The legal page that a new document is at first. */
  legalKind?: LegalKind | undefined
  /** Undefined for a new document. */
  stored: Versioned<StoredDocument> | undefined
}

/** Edits the draft of a page or a post, with a preview, and publishes it. */
export function DocumentEditor({ kind, legalKind, stored }: DocumentEditorProps) {
  const add = useAddDocument()
  const save = useSaveDocument()
  const { isUploading, onBusy } = useUploads()
  const [publishFailure, setPublishFailure] = useState('')
  /** The result of the last save, for an action that follows it immediately. */
  const saved = useRef(stored)
  const kept = formDraft(`document-${stored?.value.id ?? kind}`, useUser()._id, blank)
  const [restored] = useState(() => kept.read())
  const editor = useDraft<Draft, EditedDocument>({
    loaded: {
      value: stored ? toDraft(stored.value) : { ...empty, legalKind: legalKind ?? '' },
      version: stored?.etag ?? 'new',
    },
    read: (draft) => readBody(EditedDocument, { ...draft, legalKind: draft.legalKind || undefined }),
    save: async (body, etag) => {
      setPublishFailure('')
      saved.current = stored
        ? await save.mutateAsync({ id: stored.value.id, etag, body })
        : await add.mutateAsync({ kind, ...body })
      const { value, etag: version } = saved.current
      if (!stored) navigate(`/dashboard/edit-page/${value.id}`, { replace: true })
      return { value: toDraft(value), version }
    },
    savedText: 'Draft saved',
    rebase: rebaseFields,
    restored: restored.version
      ? { draft: restored.draft, base: { value: restored.base, version: restored.version } }
      : undefined,
  })
  const { draft, base, version, isDirty, isSaving, alert, errors, formProps } = editor
  const startOver = useEffectEvent(kept.remove)
  const keepUnsaved = useEffectEvent(() => {
    const session = readSession()
    const hasEnded = session.status === 'signed-out' && !session.signedOutByUser
    if (hasEnded && isDirty) kept.store({ draft, base, version })
  })
  useEffect(() => {
    startOver()
    return () => keepUnsaved()
  }, [])
  const { text, set } = toFields(editor)
  const name = kindNames[kind]

  /** Saves unsaved changes. Returns the stored document, or null if it could not be saved. */
  const requireSaved = async (): Promise<Versioned<StoredDocument> | null> => {
    if (stored && !isDirty) return stored
    return (await editor.submit()) ? (saved.current ?? null) : null
  }
  return (
    <form {...formProps}>
      <LeaveQuestion isUnsaved={isDirty && !isSaving} />
      <div className="grid gap-8 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <TextField
            label="Title"
            {...text('title')}
            onChange={({ target: { value: title } }) => {
              // The address follows the title until it is typed.
              const follows = !stored && draft.slug === suggestSlug(draft.title)
              set(follows ? { title, slug: suggestSlug(title) } : { title })
            }}
          />
          <TextField
            label="Address"
            hint={`${documentFolders[kind]}/${draft.slug}${stored ? '. It changes when you save; the old address redirects.' : ''}`}
            {...text('slug')}
          />
          {kind === 'page' && (
            <SelectField
              label="Legal page"
              hint="The footer of every page links it once it is published."
              value={draft.legalKind}
              error={errors.legalKind}
              onChange={({ target }) => set({ legalKind: target.value as Draft['legalKind'] })}
            >
              <option value="">No</option>
              {legalKinds.map((each) => (
                <option key={each} value={each}>
                  {legalNames[each]}
                </option>
              ))}
            </SelectField>
          )}
          {kind === 'post' && <TextField label="Category" hint="Optional" {...text('category')} />}
          <TextArea
            label="Summary"
            rows={3}
            hint={kind === 'post' ? 'For the list of posts and search engines' : 'For search engines'}
            {...text('summary')}
          />
          <PictureChoice image={draft.image} onBusy={onBusy} onChange={(image) => set({ image })} />
          <MarkdownField
            value={draft.body}
            error={errors.body}
            onChange={(body) => set({ body })}
            onBusy={onBusy}
          />
          {kind === 'page' && (
            <p className="text-sm text-quiet">
              Legal templates are not included. Use a text that a lawyer has checked.
            </p>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-8 xl:sticky xl:top-24 xl:max-h-[calc(100svh-11rem)] xl:self-start xl:overflow-y-auto">
          <Preview title={draft.title} body={draft.body} />
          {stored && (
            <VersionList document={stored.value} isDirty={isDirty} isSaving={isSaving} onUse={set} />
          )}
        </div>
      </div>
      {alert && (
        <div className="mt-6">
          <Alert>{alert}</Alert>
        </div>
      )}
      <div
        id="publication"
        className="sticky bottom-0 z-10 page-bar mt-8 border-t border-line bg-paper py-3 low:static lg:mx-0 lg:px-0"
      >
        <div className="flex flex-wrap gap-3">
          <BusyButton type="submit" variant="quiet" busy={isSaving} disabled={isUploading}>
            Save draft
          </BusyButton>
          <PublishActions
            stored={stored}
            noun={name.one}
            isDirty={isDirty}
            isDisabled={isSaving || isUploading}
            requireSaved={requireSaved}
            failure={publishFailure}
            onFailure={setPublishFailure}
            onDiscarded={() => editor.change(() => editor.base)}
          />
        </div>
      </div>
    </form>
  )
}

interface PictureChoiceProps {
  image: string
  onChange: (image: string) => void
  onBusy: (busy: boolean) => void
}

/** The picture of the document, which lists and shared links show. */
const PictureChoice = ({ image, onChange, onBusy }: PictureChoiceProps) => (
  <fieldset className="flex flex-wrap items-start gap-4">
    <legend className="mb-1 text-sm font-semibold">Picture</legend>
    <FileUpload
      route="addPicture"
      {...pictureFile}
      label={image ? 'Replace the picture' : 'Choose a picture'}
      hint={`Optional: ${pictureFile.hint}`}
      onBusy={onBusy}
      onUploaded={(uploaded) => onChange(uploaded.image)}
      className="grow basis-64"
    />
    {image && (
      <div className="w-40">
        <ProductImage src={image} sizes="10rem" alt="Chosen picture" className="rounded-card bg-surface" />
        <Button variant="quiet" size="small" className="mt-2" onClick={() => onChange('')}>
          Remove picture
        </Button>
      </div>
    )}
  </fieldset>
)
