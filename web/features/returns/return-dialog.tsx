import { useState } from 'react'
import { describeOrderedFit } from '../../../contract/fit-answer.ts'
import { NewReturn, returnReasons } from '../../../contract/returns.ts'
import { ApiError, isClientError, readMessage } from '../../api.ts'
import { type Errors, readBody, useDraft } from '../../draft.ts'
import { Alert } from '../../ui/alert.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { focusMainIfLost } from '../../ui/lost-focus.ts'
import { useRequestReturn } from './queries.ts'
import type { ReturnableItem } from './returns.tsx'

interface Draft {
  /** By line, as typed. */
  pieces: Record<number, string>
  reasons: Record<number, string>
  note: string
}

interface ReturnDialogProps {
  id: string
  orderKey: string
  items: ReturnableItem[]
  onClose: () => void
}

function explain(error: unknown): string {
  if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED')
    return 'We have already received a return from this form. Close it to see the return.'
  if (isClientError(error)) return readMessage(error)
  return "We can't reach the shop. Check your connection and press Request return again. It is requested once."
}

/** Requests the return of items. */
export function ReturnDialog({ id, orderKey, items: loaded, onClose }: ReturnDialogProps) {
  // The items of a repeated request are in a return already.
  const [items] = useState(loaded)
  const [key] = useState(() => crypto.randomUUID())
  const request = useRequestReturn(id, orderKey, key)
  // A single item is the one that comes back.
  const [only, ...others] = loaded
  const isOnly = only !== undefined && others.length === 0
  const [empty] = useState<Draft>({ pieces: isOnly ? { [only.line]: '1' } : {}, reasons: {}, note: '' })
  const listChosen = ({ pieces, reasons }: Draft) =>
    items.filter(({ line }) => (pieces[line] ?? '').trim() !== '' || reasons[line])
  const { draft, change, isDirty, isSaving, errors, alert, formProps } = useDraft<Draft, NewReturn>({
    loaded: { value: empty, version: id },
    read: (draft) => {
      const chosen = listChosen(draft)
      const tooMany = chosen.flatMap(({ line, pieces }, index) =>
        Number(draft.pieces[line]) > pieces ? [[`lines.${index}.pieces`, `At most ${pieces}`]] : [],
      )
      const reading = readBody(NewReturn, {
        lines: chosen.map(({ line }) => ({
          line,
          pieces: Number(draft.pieces[line] ?? ''),
          reason: draft.reasons[line],
        })),
        note: draft.note,
      })
      if (tooMany.length === 0) return reading
      return { errors: { ...reading.errors, ...(Object.fromEntries(tooMany) as Errors) } }
    },
    save: async (body) => {
      await request.mutateAsync(body)
      onClose()
      // The button that opened the dialog may disappear.
      focusMainIfLost()
    },
    savedText: 'Return requested',
    explain,
  })
  const chosen = listChosen(draft)
  const toError = (line: number, field: string) => {
    const index = chosen.findIndex((item) => item.line === line)
    return index === -1 ? undefined : errors[`lines.${index}.${field}`]
  }
  const didNotFit = chosen.find(({ line }) => draft.reasons[line] === 'did_not_fit')
  return (
    <Dialog title="Return items" onClose={onClose} isUnsaved={isDirty && !isSaving}>
      <form {...formProps} className="flex flex-col gap-4">
        {items.map(({ line, name, pieces, fit }) => (
          <fieldset key={line} className="rounded-card border border-line p-4">
            <legend className="px-1 font-semibold">{name}</legend>
            {fit && (
              <p className="mb-3 text-sm whitespace-pre-line text-quiet">
                {describeOrderedFit(fit).join('\n')}
              </p>
            )}
            <div className="grid gap-4 xs:grid-cols-[6rem_1fr]">
              <TextField
                label="Pieces"
                inputMode="numeric"
                autoComplete="off"
                hint={`Up to ${pieces}`}
                error={toError(line, 'pieces')}
                value={draft.pieces[line] ?? ''}
                onChange={(event) => {
                  const { value } = event.target
                  change((current) => ({ ...current, pieces: { ...current.pieces, [line]: value } }))
                }}
              />
              <SelectField
                label="Reason"
                error={toError(line, 'reason')}
                value={draft.reasons[line] ?? ''}
                onChange={(event) => {
                  const { value } = event.target
                  change((current) => ({
                    ...current,
                    reasons: { ...current.reasons, [line]: value },
                    pieces: { ...current.pieces, [line]: current.pieces[line] || (value ? '1' : '') },
                  }))
                }}
              >
                <option value="">{isOnly ? 'Choose a reason' : 'Not returned'}</option>
                {Object.entries(returnReasons).map(([reason, label]) => (
                  <option key={reason} value={reason}>
                    {label}
                  </option>
                ))}
              </SelectField>
            </div>
          </fieldset>
        ))}
        <TextArea
          label="Note (optional)"
          rows={3}
          hint={
            didNotFit && !didNotFit.fit ? 'Which bike did you try it on? Make, model and year.' : undefined
          }
          error={errors.note}
          value={draft.note}
          onChange={(event) => {
            const { value } = event.target
            change((current) => ({ ...current, note: value }))
          }}
        />
        {errors.lines && <Alert>{errors.lines}</Alert>}
        {alert && !errors.lines && <Alert>{alert}</Alert>}
        <FormButtons submit="Request return" busy={isSaving} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
