import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { toDecimalPoint } from '../contract/typed-numbers.ts'
import { type BooleanKeys, type TextKeys, toTextField, type useDraft } from './draft.ts'
import { Alert } from './ui/alert.tsx'
import { FormButtons } from './ui/form-buttons.tsx'
import { LeaveQuestion } from './ui/leave-question.tsx'
import { focusMainIfLost, isFocusLost } from './ui/lost-focus.ts'

type Editor<Draft> = ReturnType<typeof useDraft<Draft, unknown>>

interface EditorFormProps {
  editor: Pick<Editor<unknown>, 'isDirty' | 'isRebased' | 'isSaving' | 'alert' | 'formProps'>
  /** Names the edited thing, such as `tax rate`. */
  noun: string
  onClose: () => void
  children: ReactNode
}

/** Explains a draft whose changes apply to a newer version than it was loaded with. */
export const rebasedText = 'Someone else changed other values in the meantime. They are kept when you save.'

/** A form that replaces a list, whose draft is saved whole, with its buttons. */
export function EditorForm({ editor, noun, onClose, children }: EditorFormProps) {
  useFocusOfEditor(editor.formProps.ref)
  return (
    <form {...editor.formProps} className="flex flex-col gap-6">
      <LeaveQuestion isUnsaved={editor.isDirty && !editor.isSaving} />
      {children}
      {editor.isRebased && <Alert>{rebasedText}</Alert>}
      {editor.alert && <Alert>{editor.alert}</Alert>}
      <FormButtons submit={`Save ${noun}`} busy={editor.isSaving} isInline onCancel={onClose} />
    </form>
  )
}

/** Moves the focus to the first field, and at the end back to the button of the list that opened the form. */
function useFocusOfEditor(form: RefObject<HTMLFormElement | null>) {
  // The list is rendered again after the form, with a new button of the same name.
  const [opener] = useState(() => readName(document.activeElement))
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      requestAnimationFrame(() => {
        const buttons = [...document.querySelectorAll<HTMLElement>('#main button')]
        if (isFocusLost()) buttons.find((each) => readName(each) === opener)?.focus()
      })
      focusMainIfLost()
    }
  }, [form, opener])
}

const readName = (element: Element | null) => element?.getAttribute('aria-label') ?? element?.textContent

/** Returns the properties of the text fields and checkboxes of a draft. */
export function toFields<Draft extends object>({
  draft,
  errors,
  change,
}: Pick<Editor<Draft>, 'draft' | 'errors' | 'change'>) {
  const set = (values: Partial<Draft>) => change((current) => ({ ...current, ...values }))
  return {
    set,
    text: (name: TextKeys<Draft>) => toTextField(draft, name, errors[name], set),
    checkbox: (name: BooleanKeys<Draft>) => ({
      checked: draft[name] as boolean,
      onChange: (event: { target: { checked: boolean } }) =>
        set({ [name]: event.target.checked } as Partial<Draft>),
    }),
  }
}

/** Converts a typed number such as `12.5` or `12,5`. Returns other text as it is, and the schema of a number rejects it. */
export function toNumber(text: string): number | string | undefined {
  const number = Number(toDecimalPoint(text))
  return text.trim() === '' ? undefined : Number.isNaN(number) ? text : number
}
