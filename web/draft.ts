import { type FormEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError, isClientError, readMessage } from './api.ts'
import { refuseBadInput } from './ui/bad-input.ts'
import { showToast } from './ui/toasts.tsx'

/** Messages by the path of their value in the body, such as `numbers.0.maker`. */
export type Errors = Record<string, string>

/** The body that a draft means, or the errors of its values. */
export type Reading<Body> = { body: Body; errors?: never } | { body?: never; errors: Errors }

/** Reads a body by its schema. */
export function readBody<Body>(schema: z.ZodMiniType<Body>, body: unknown): Reading<Body> {
  const { data, error } = schema.safeParse(body)
  if (!error) return { body: data }
  return { errors: Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])) }
}

/** The keys of the properties that have values of a type. */
type KeysOfType<Draft, Value> = {
  [Key in keyof Draft]: Draft[Key] extends Value ? Key : never
}[keyof Draft] &
  string

export type TextKeys<Draft> = KeysOfType<Draft, string>
export type BooleanKeys<Draft> = KeysOfType<Draft, boolean>

/** Returns the properties of a text field for one value of a draft. */
export const toTextField = <Draft>(
  draft: Draft,
  key: TextKeys<Draft>,
  error: string | undefined,
  set: (values: Partial<Draft>) => void,
) => ({
  value: draft[key] as string,
  error,
  autoComplete: 'off',
  onChange: ({ target }: { target: { value: string } }) => set({ [key]: target.value } as Partial<Draft>),
})

/** Stored values as they are edited, with a name of their version, such as an ETag. */
interface Loaded<Draft> {
  value: Draft
  version: string
}

interface DraftOptions<Draft, Body> {
  loaded: Loaded<Draft>
  /** The draft at first, and the stored values that it changes, from before the session ended. */
  restored?: { draft: Draft; base: Loaded<Draft> } | undefined
  /** `base`: the stored values that the draft changes. */
  read: (draft: Draft, base: Draft) => Reading<Body>
  /** Saves a body if the stored values still have this version. May return the new ones. */
  save: (body: Body, version: string) => Promise<Loaded<Draft> | void>
  savedText: string
  /** Applies unsaved changes of `base` to other values. Null, or without it: they stay, and cannot be saved. */
  rebase?: (draft: Draft, base: Draft, next: Draft) => Draft | null
  isSame?: (one: Draft, other: Draft) => boolean
  /** Returns the message of a failed save. */
  explain?: (error: unknown) => string
}

/** The last attempt to save, if it failed. `failure` is empty if the draft has errors. */
interface Attempt<Draft> {
  draft: Draft
  errors: Errors
  failure: string
}

/** A save without a response, which may have been a success. */
interface Sent<Draft, Body> {
  draft: Draft
  body: Body
}

const isSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Applies changes of properties to another version. Returns null if one of them is changed there too. */
export function rebaseFields<Draft extends object>(draft: Draft, base: Draft, next: Draft): Draft | null {
  const changed = (Object.keys(draft) as (keyof Draft)[]).filter((key) => !isSameJson(draft[key], base[key]))
  if (changed.some((key) => !isSameJson(next[key], base[key]))) return null
  return { ...next, ...Object.fromEntries(changed.map((key) => [key, draft[key]])) }
}

/**
 * Edits stored values: a draft that is checked, saved whole, and kept if another version is loaded in the meantime. A save
 * whose response was lost is recognised by its values: load the stored values again after a failed save. After a failed
 * attempt the first invalid field is focused and scrolled into view.
 */
export function useDraft<Draft, Body>(options: DraftOptions<Draft, Body>) {
  const { loaded, restored, read, save, savedText, rebase } = options
  const { isSame = isSameJson, explain = readMessage } = options
  const [base, setBase] = useState(restored?.base ?? loaded)
  const [draft, setDraft] = useState(restored?.draft ?? loaded.value)
  const [isRebased, setRebased] = useState(false)
  const [attempt, setAttempt] = useState<Attempt<Draft> | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [unanswered, setUnanswered] = useState<Sent<Draft, Body> | null>(null)
  /** The version that a save without a response has stored. */
  const [foundVersion, setFoundVersion] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const isDirty = !isSame(draft, base.value)
  if (loaded.version !== base.version) {
    // The draft may have changed since it was sent. Its body has the values as they are stored, such as trimmed texts.
    const isOwn =
      unanswered !== null &&
      (isSame(unanswered.draft, loaded.value) ||
        isSameJson(unanswered.body, read(loaded.value, loaded.value).body))
    const kept = isSame(base.value, loaded.value) ? draft : rebase?.(draft, base.value, loaded.value)
    const next = isDirty ? (kept ?? null) : loaded.value
    if (isOwn) {
      setBase(loaded)
      setDraft(isSame(draft, unanswered.draft) ? loaded.value : draft)
      setUnanswered(null)
      setAttempt(null)
      setFoundVersion(loaded.version)
    } else if (next !== null) {
      setBase(loaded)
      setDraft(next)
      setUnanswered(null)
      const isOther = !isSame(base.value, loaded.value) && !isSame(next, loaded.value)
      setRebased((was) => isDirty && (was || isOther))
    }
  }

  const change = useCallback(
    (edit: (draft: Draft) => Draft) => {
      // The saved values replace the draft.
      if (!isSaving) setDraft(edit)
    },
    [isSaving],
  )
  const submit = async (): Promise<boolean> => {
    setAttempt(null)
    if (refuseBadInput(form.current)) return false
    const { body, errors } = read(draft, base.value)
    if (errors) {
      setAttempt({ draft, errors, failure: '' })
      return false
    }
    setSaving(true)
    try {
      const saved = (await save(body, base.version)) ?? { value: draft, version: base.version }
      setBase(saved)
      setDraft(saved.value)
      setRebased(false)
      setUnanswered(null)
      showToast('success', savedText)
      return true
    } catch (error) {
      if (!isClientError(error)) setUnanswered({ draft, body })
      setAttempt({ draft, errors: error instanceof ApiError ? error.fields : {}, failure: explain(error) })
      return false
    } finally {
      setSaving(false)
    }
  }

  useEffect(() => {
    if (foundVersion) showToast('success', savedText)
  }, [foundVersion, savedText])
  useEffect(() => {
    if (!attempt) return
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    invalid?.focus({ preventScroll: true })
    invalid?.scrollIntoView({ block: 'nearest' })
  }, [attempt])

  // The next change clears them.
  const { errors, failure } = attempt?.draft === draft ? attempt : { errors: {} as Errors, failure: '' }
  const invalid = Object.keys(errors).length > 0 ? invalidText : ''
  return {
    draft,
    /** The stored values that the draft changes, and their version. */
    base: base.value,
    version: base.version,
    change,
    isDirty,
    /** Whether another version was loaded below unsaved changes. */
    isRebased: isRebased && isDirty,
    isSaving,
    submit,
    errors,
    failure,
    /** Message for the whole form, or an empty text. */
    alert: failure || invalid,
    attempt,
    formProps: {
      ref: form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit()
      },
    },
  }
}

export const invalidText = 'Some values are not valid.'

/** The unsaved input of one editor on a page. */
export interface UnsavedPart {
  /** Such as `2 fitments`. */
  text: string
  /** Returns false if it is not saved; the editor shows the error. */
  save: () => Promise<boolean>
}
/** Called when the unsaved input of an editor changes; null if there is none. */
export type ReportUnsaved = (part: UnsavedPart | null) => void

/** @param text empty if everything is saved */
export function useUnsavedPart(report: ReportUnsaved, text: string, save: () => Promise<boolean>): void {
  const latest = useRef<(() => Promise<boolean>) | null>(null)
  useLayoutEffect(() => {
    latest.current = text ? save : null
    return () => {
      latest.current = null
    }
  })
  useEffect(() => {
    if (!text) return
    // The save of another part may have left nothing to save, for example values of another kind of product.
    report({ text, save: async () => (await latest.current?.()) ?? true })
    return () => report(null)
  }, [report, text])
}
