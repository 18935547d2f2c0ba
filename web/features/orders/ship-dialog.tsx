import { useId, useState } from 'react'
import { carriers } from '../../../contract/carriers.ts'
import { nameItem } from '../../../contract/item-names.ts'
import type { Order } from '../../../contract/orders.ts'
import {
  maxTrackingNumbers,
  NewShipment,
  SetBackShipment,
  type Shipment,
  Tracking,
} from '../../../contract/shipments.ts'
import { ApiError, isClientError, readMessage } from '../../api.ts'
import { type Errors, readBody, rebaseFields, useDraft } from '../../draft.ts'
import { toFields } from '../../editor-form.tsx'
import { useSettings } from '../../router/router.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckboxField, TextArea, TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { orderNumber } from './order-labels.tsx'
import { useEditShipment, useSetBackShipment, useShipLines } from './queries.ts'

/** Carrier and numbers as typed. */
interface TrackingDraft {
  carrier: string
  numbers: string
}

interface ShipDraft extends TrackingDraft {
  /** The open lines that are not in this shipment. */
  left: number[]
}

interface ShipDialogProps {
  order: Order
  onClose: () => void
}

/** Ships lines of an order, or marks them as ready for pickup. */
export function ShipDialog({ order, onClose }: ShipDialogProps) {
  const { mail } = useSettings()
  const ship = useShipLines(order._id)
  // The items of a repeated request are in a shipment already.
  const [open] = useState(() =>
    (order.lines ?? []).flatMap((line, index) =>
      line.openPieces > 0 ? [{ ...line, number: index + 1 }] : [],
    ),
  )
  const [empty] = useState<ShipDraft>({ left: [], carrier: '', numbers: '' })
  const verb = order.pickup ? 'Ready for pickup' : 'Ship'
  const editor = useDraft<ShipDraft, NewShipment>({
    loaded: { value: empty, version: '' },
    read: (draft) => {
      const lines = open.map(({ number }) => number).filter((number) => !draft.left.includes(number))
      return readBody(NewShipment, { lines, ...toTracking(draft) })
    },
    save: async (body) => {
      try {
        await ship.mutateAsync(body)
      } catch (error) {
        const isShipped = error instanceof ApiError && error.code === 'NOTHING_TO_SHIP'
        // An attempt without a response may have recorded it.
        if (!(isShipped && order.shipments?.some((each) => isSame(each, body)))) throw error
      }
      onClose()
    },
    savedText: 'Shipment recorded',
    explain: (error) =>
      isClientError(error)
        ? readMessage(error)
        : `We can't reach the shop. Check your connection and press ${verb} again. It will not ship twice.`,
  })
  const { draft, change, errors, alert, isDirty, isSaving } = editor
  const select = (line: number, isSelected: boolean) =>
    change((current) => ({
      ...current,
      left: isSelected ? current.left.filter((each) => each !== line) : [...current.left, line],
    }))
  return (
    <Dialog title={`${verb} #${orderNumber(order._id)}`} onClose={onClose} isUnsaved={isDirty && !isSaving}>
      <form {...editor.formProps} className="flex flex-col gap-4">
        <fieldset>
          <legend className="text-sm font-semibold">Items</legend>
          {open.map((line) => (
            <CheckboxField
              key={line.number}
              label={`${line.openPieces} × ${nameItem(line)}`}
              checked={!draft.left.includes(line.number)}
              onChange={(event) => select(line.number, event.target.checked)}
            />
          ))}
        </fieldset>
        {errors.lines && <Alert>{errors.lines}</Alert>}
        {!order.pickup && (
          <TrackingFields text={toFields(editor).text} numbersError={toNumbersError(draft, errors)} />
        )}
        {alert && !errors.lines && <Alert>{alert}</Alert>}
        {mail !== 'off' && (
          <p className="text-sm text-quiet">The customer gets an email about these items.</p>
        )}
        <FormButtons submit={verb} busy={isSaving} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

interface TrackingDialogProps {
  order: Order
  shipment: Shipment
  onClose: () => void
}

/** Changes the carrier and the tracking numbers of a shipment. */
export function TrackingDialog({ order, shipment, onClose }: TrackingDialogProps) {
  const { mail } = useSettings()
  const edit = useEditShipment(shipment.id)
  const editor = useDraft<TrackingDraft, Tracking>({
    loaded: loadTracking(shipment),
    read: (draft) => readBody(Tracking, toTracking(draft)),
    save: async (body, version) => {
      await edit.mutateAsync({ ...body, before: JSON.parse(version) as Tracking })
      onClose()
    },
    savedText: 'Tracking saved',
    rebase: rebaseFields,
  })
  const { draft, base, isRebased, errors, alert, isDirty, isSaving } = editor
  const hasNoNumbers = shipment.trackingNumbers.length === 0
  return (
    <Dialog
      title={`Tracking of #${orderNumber(order._id)}`}
      onClose={onClose}
      isUnsaved={isDirty && !isSaving}
    >
      <form {...editor.formProps} className="flex flex-col gap-4">
        <TrackingFields text={toFields(editor).text} numbersError={toNumbersError(draft, errors)} />
        {isRebased && <Alert>Now: {describeTracking(base)}. Your changes are above.</Alert>}
        {alert && <Alert>{alert}</Alert>}
        <p className="text-sm text-quiet">
          The page of the order shows the change.{' '}
          {hasNoNumbers && mail !== 'off'
            ? 'The customer gets an email with the first tracking numbers, once.'
            : 'The customer gets no new email.'}
        </p>
        <FormButtons submit="Save tracking" busy={isSaving} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

interface SetBackDialogProps {
  order: Order
  shipment: Shipment
  onClose: () => void
}

/** Sets a shipment back, with a reason for the customer. */
export function SetBackDialog({ order, shipment, onClose }: SetBackDialogProps) {
  const setBack = useSetBackShipment(shipment.id, order._id)
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm<SetBackShipment, void>({
    schema: SetBackShipment,
    defaultValues: { reason: '' },
    async send({ reason }) {
      await setBack.mutateAsync(reason)
      showToast('success', 'Shipment set back')
      onClose()
    },
  })
  return (
    <Dialog
      title={<>Set back #{orderNumber(order._id)}</>}
      onClose={onClose}
      isUnsaved={form.formState.isDirty && !isSubmitting}
    >
      <form {...formProps} className="flex flex-col gap-4">
        <p>
          These items are to be {order.pickup ? 'prepared' : 'shipped'} again. If the customer already has the
          email about them, we send a correction with your reason.
        </p>
        <TextField
          label="Reason"
          autoComplete="off"
          hint="For example: The parcel is still here, because a part is missing."
          {...field('reason')}
        />
        {failure !== undefined && <Alert>{readMessage(failure)}</Alert>}
        <FormButtons submit="Set back" busy={isSubmitting} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

interface TrackingFieldsProps {
  text: ReturnType<typeof toFields<TrackingDraft>>['text']
  numbersError: string | undefined
}

function TrackingFields({ text, numbersError }: TrackingFieldsProps) {
  const listId = useId()
  return (
    <>
      <TextField
        label="Carrier (optional)"
        list={listId}
        hint="Choose one from the list to link its tracking page"
        {...text('carrier')}
      />
      <datalist id={listId}>
        {carriers.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <TextArea
        label="Tracking numbers (optional)"
        rows={2}
        spellCheck={false}
        hint={`One per line, up to ${maxTrackingNumbers}`}
        {...text('numbers')}
        error={numbersError}
      />
    </>
  )
}

/** Returns whether a stored shipment has the values that were sent. Both list their lines by number. */
const isSame = ({ lines, carrier, trackingNumbers }: Shipment, sent: NewShipment): boolean =>
  JSON.stringify([lines.map(({ line }) => line), carrier ?? '', trackingNumbers]) ===
  JSON.stringify([sent.lines, sent.carrier ?? '', sent.trackingNumbers])

const listNumbers = ({ numbers }: TrackingDraft): string[] =>
  numbers
    .split(/[\n,;]/)
    .map((number) => number.trim())
    .filter(Boolean)

/** Returns the tracking of a shipment to edit. The version is the tracking itself, which a save sends as `before`. */
export function loadTracking({ carrier, trackingNumbers }: Shipment) {
  const version = JSON.stringify({ carrier, trackingNumbers } satisfies Tracking)
  return { value: { carrier: carrier ?? '', numbers: trackingNumbers.join('\n') }, version }
}

const describeTracking = (draft: TrackingDraft): string =>
  [draft.carrier, ...listNumbers(draft)].filter(Boolean).join(', ') || 'no tracking'

const toTracking = (draft: TrackingDraft) => ({
  carrier: draft.carrier.trim() || undefined,
  trackingNumbers: listNumbers(draft),
})

/** The first error, with the number that it is about. */
function toNumbersError(draft: TrackingDraft, errors: Errors): string | undefined {
  if (errors.trackingNumbers) return errors.trackingNumbers
  const [found] = listNumbers(draft).flatMap((number, index) => {
    const message = errors[`trackingNumbers.${index}`]
    return message ? [`${number}: ${message}`] : []
  })
  return found
}
