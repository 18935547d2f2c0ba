import { useRef } from 'react'
import { formatPieces } from '../../../contract/pieces.ts'
import { pluralize } from '../../../contract/plurals.ts'
import type { Receipt } from '../../../contract/receipts.ts'
import { navigate } from '../../router/navigation.ts'
import { useLocation } from '../../router/router.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { ScanForm } from '../../ui/scan-form.tsx'
import { ScanStatus } from '../../ui/scan-status.tsx'
import { AwaitedItems, NoteSummary, OpenNote } from './delivery-note.tsx'
import {
  closeNote,
  countPieces,
  openNote,
  removeLine,
  removeUnknown,
  type ScannedLine,
  select,
} from './scan-list.ts'
import { UnknownCodes } from './unknown-codes.tsx'
import { useScans } from './use-scans.ts'

const texts = {
  delivery: {
    title: 'Goods In',
    note: 'Scan each piece, or an item once and then its number. Nothing changes until you book.',
    other: { href: '/dashboard/stocktake', name: 'Stocktake' },
    reference: 'Delivery note (optional)',
  },
  count: {
    title: 'Stocktake',
    note: 'Ship or unpack parcels that are ready before you count. Then count all pieces of a shelf: orders that are not shipped are taken into account.',
    other: { href: '/dashboard/goods-in', name: 'Goods In' },
    reference: 'Shelf (optional)',
  },
}

/** A page with one field for all scans, which gets the focus after each click. */
export function ScanPage({ kind }: { kind: Receipt['kind'] }) {
  const field = useRef<HTMLInputElement>(null)
  const { list, message, booked, refused, isBusy, isBooking, send, scan, edit, resolve } = useScans(kind)
  const { title, note, other, reference } = texts[kind]
  const focusField = () => field.current?.focus()
  const [last, ...earlier] = list.lines
  const pieces = countPieces(list)
  const items =
    kind === 'count' ? list.lines.length : list.lines.filter(({ quantity }) => quantity > 0).length
  const noteId = new URLSearchParams(useLocation().search).get('note')
  const actions = {
    onSelect: (id: string) => {
      edit((now) => select(now, id))
      focusField()
    },
    onRemove: (id: string) => {
      edit((now) => removeLine(now, id))
      focusField()
    },
  }
  return (
    <>
      <PageHead title={title} note={note}>
        <div className="flex flex-wrap gap-2">
          {kind === 'delivery' && (
            <LinkButton variant="quiet" href="/dashboard/import-products?kind=products&mode=deliveries">
              Delivery note as a file
            </LinkButton>
          )}
          <LinkButton variant="quiet" href={other.href}>
            {other.name}
          </LinkButton>
        </div>
      </PageHead>
      {kind === 'delivery' && noteId && (
        <OpenNote
          id={noteId}
          onRead={(note) => {
            edit((now) => openNote(now, noteId, note))
            navigate('/dashboard/goods-in', { replace: true })
            focusField()
          }}
        />
      )}
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <div className="min-w-0">
          <ScanForm
            field={field}
            label="Scan an item"
            hint="By GTIN or part number. Digits and Enter set the pieces of the last scan."
            maxLength={100}
            isBusy={isBusy}
            onScan={scan}
          />
          <ScanStatus message={message} />
          {booked && (
            <p className="mt-3">
              <a
                href={`/dashboard/import-products?import=${booked.id}`}
                className="font-semibold text-signal underline"
              >
                Show or undo this booking
              </a>
            </p>
          )}
          {last && (
            <section aria-label="Last item" className="mt-6 rounded-card border border-line bg-surface p-5">
              <p className="flex items-baseline gap-4">
                <span className="font-display text-4xl font-bold tabular-nums">{last.quantity}</span>
                <span className="min-w-0 text-xl font-semibold wrap-anywhere">{last.name}</span>
              </p>
              <p className="mt-1 text-quiet wrap-anywhere">
                {[last.sku, last.shelf && `Shelf ${last.shelf}`].filter(Boolean).join(' · ')}
              </p>
              <LineNotes
                line={last}
                kind={kind}
                hasNote={list.note !== null}
                refusal={refused.get(last.variantId)}
              />
              <RemoveButton line={last} onRemove={actions.onRemove} className="mt-3" />
            </section>
          )}
          <UnknownCodes
            codes={list.unknown}
            onFound={(code, variant) => {
              resolve(code, variant)
              focusField()
            }}
            onRemove={(code) => {
              edit((now) => removeUnknown(now, code))
              focusField()
            }}
          />
        </div>
        <div className="min-w-0">
          <NoteSummary
            list={list}
            onClose={() => {
              edit(closeNote)
              focusField()
            }}
          />
          {earlier.length > 0 && (
            <ul aria-label="Earlier items" className="mb-6 divide-y divide-line border-y border-line">
              {earlier.map((line) => (
                <li key={line.variantId} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                  <span className="w-14 text-right font-display text-2xl font-bold tabular-nums">
                    {line.quantity}
                  </span>
                  <span className="min-w-40 grow basis-0 wrap-anywhere">
                    <span className="font-semibold">{line.name}</span>
                    <span className="block text-sm text-quiet">{line.sku}</span>
                    <LineNotes
                      line={line}
                      kind={kind}
                      hasNote={list.note !== null}
                      refusal={refused.get(line.variantId)}
                    />
                  </span>
                  <span className="flex gap-2">
                    <Button
                      variant="quiet"
                      size="small"
                      aria-label={`Correct ${line.name}`}
                      onClick={() => actions.onSelect(line.variantId)}
                    >
                      Correct
                    </Button>
                    <RemoveButton line={line} onRemove={actions.onRemove} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          <AwaitedItems lines={list.awaited} onSelect={actions.onSelect} />
          <div className="grid gap-4 md:grid-cols-2">
            {kind === 'delivery' && (
              <TextField
                label="Supplier (optional)"
                maxLength={120}
                value={list.supplier}
                onChange={({ target }) => edit((now) => ({ ...now, supplier: target.value }))}
              />
            )}
            <TextField
              label={reference}
              maxLength={60}
              value={list.reference}
              onChange={({ target }) => edit((now) => ({ ...now, reference: target.value }))}
            />
          </div>
          <BusyButton
            className="mt-5"
            busy={isBooking}
            disabled={items === 0}
            onClick={() => {
              void send()
              focusField()
            }}
          >
            {items === 0 ? 'Book' : `Book ${pluralize(items, 'item')}, ${formatPieces(pieces)}`}
          </BusyButton>
        </div>
      </div>
    </>
  )
}

interface LineNotesProps {
  line: ScannedLine
  kind: Receipt['kind']
  hasNote: boolean
  refusal: string | undefined
}

/** How a line differs from what was expected, and why the shop does not accept it. */
function LineNotes({ line, kind, hasNote, refusal }: LineNotesProps) {
  const expected = kind === 'count' ? line.expected : line.noted
  const difference = line.quantity - (expected ?? 0)
  return (
    <>
      {expected === undefined ? (
        hasNote && <strong className="block text-wait">Not on the delivery note</strong>
      ) : (
        <span className="block tabular-nums">
          Expected {expected}
          {difference !== 0 && (
            <strong className="text-wait">
              : {Math.abs(difference)} {difference > 0 ? 'more' : 'missing'}
            </strong>
          )}
          {difference === 0 && kind === 'delivery' && <strong className="text-good">: complete</strong>}
        </span>
      )}
      {refusal && <strong className="block text-bad">{refusal}</strong>}
    </>
  )
}

interface RemoveButtonProps {
  line: ScannedLine
  onRemove: (variantId: string) => void
  className?: string
}

const RemoveButton = ({ line, onRemove, className = '' }: RemoveButtonProps) => (
  <Button
    variant="quiet"
    size="small"
    className={className}
    aria-label={`Remove ${line.name}`}
    onClick={() => onRemove(line.variantId)}
  >
    Remove
  </Button>
)
