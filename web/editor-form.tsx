import type { ReactNode } from 'react'
import type { useDraft } from './draft.ts'
import { Alert } from './ui/alert.tsx'
import { Button } from './ui/button.tsx'
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
    <div className="flex gap-3">
      <Button type="submit" busy={editor.isSaving}>
        Save {noun}
      </Button>
      <Button variant="quiet" onClick={onClose}>
        Cancel
      </Button>
    </div>
  </form>
)

type Named<Draft, Value> = { [Name in keyof Draft]: Draft[Name] extends Value ? Name : never }[keyof Draft]

/** Returns the properties of the text fields and checkboxes of a draft. */
export function toFields<Draft extends object>({
  draft,
  errors,
  change,
}: Pick<Editor<Draft>, 'draft' | 'errors' | 'change'>) {
  const set = (values: Partial<Draft>) => change((current) => ({ ...current, ...values }))
  return {
    set,
    text: (name: Named<Draft, string> & string) => ({
      value: draft[name] as string,
      error: errors[name],
      autoComplete: 'off',
      onChange: (event: { target: { value: string } }) =>
        set({ [name]: event.target.value } as Partial<Draft>),
    }),
    checkbox: (name: Named<Draft, boolean> & string) => ({
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
