import type { ReactNode } from 'react'
import type { useDraft } from './draft.ts'
import type { Named } from './draft-rows.ts'
import { Alert } from './ui/alert.tsx'
import { FormButtons } from './ui/form-buttons.tsx'
import { LeaveQuestion } from './ui/leave-question.tsx'

type Editor<Draft> = ReturnType<typeof useDraft<Draft, unknown>>

interface EditorFormProps {
  editor: Pick<Editor<unknown>, 'isDirty' | 'isSaving' | 'alert' | 'formProps'>
  /** Names the edited thing, such as `tax rate`. */
  noun: string
  onClose: () => void
  children: ReactNode
}

/** A form whose draft is saved whole, with its buttons. */
export const EditorForm = ({ editor, noun, onClose, children }: EditorFormProps) => (
  <form {...editor.formProps} className="flex flex-col gap-6">
    <LeaveQuestion isUnsaved={editor.isDirty && !editor.isSaving} />
    {children}
    {editor.alert && <Alert>{editor.alert}</Alert>}
    <FormButtons submit={`Save ${noun}`} busy={editor.isSaving} onCancel={onClose} />
  </form>
)

/** Returns the properties of the text fields and checkboxes of a draft. */
export function toFields<Draft extends object>({
  draft,
  errors,
  change,
}: Pick<Editor<Draft>, 'draft' | 'errors' | 'change'>) {
  const set = (values: Partial<Draft>) => change((current) => ({ ...current, ...values }))
  return {
    set,
    text: (name: Named<Draft, string>) => ({
      value: draft[name] as string,
      error: errors[name],
      autoComplete: 'off',
      onChange: (event: { target: { value: string } }) =>
        set({ [name]: event.target.value } as Partial<Draft>),
    }),
    checkbox: (name: Named<Draft, boolean>) => ({
      checked: draft[name] as boolean,
      onChange: (event: { target: { checked: boolean } }) =>
        set({ [name]: event.target.checked } as Partial<Draft>),
    }),
  }
}

/** Returns other text as it is, and the schema of a number rejects it. */
export function toNumber(text: string): number | string | undefined {
  const number = Number(text)
  return text.trim() === '' ? undefined : Number.isNaN(number) ? text : number
}
