import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OrderDetails } from '../../contract/checkout.ts'
import { formatUtcMoment } from '../../contract/dates.ts'
import { nameItem } from '../../contract/item-names.ts'
import { nameOrder } from '../../contract/order-number.ts'
import { formatPieces } from '../../contract/pieces.ts'
import { NewWithdrawal, type WithdrawalReceipt } from '../../contract/returns.ts'
import { ApiError, call, isClientError, readMessage, type Sent } from '../api.ts'
import { useSession } from '../features/identity/session.ts'
import { orderNumber } from '../features/orders/order-labels.tsx'
import { orderDetailsQuery, orderKeyHeaders } from '../features/orders/queries.ts'
import { QueryScope } from '../query-scope.tsx'
import { navigate } from '../router/navigation.ts'
import { useLocation, useSettings } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { focus } from '../ui/focus.ts'
import { useCheckedForm } from '../ui/form.ts'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Stepper } from '../ui/stepper.tsx'

export const meta = () => ({ title: 'Withdraw from contract' })

/** The withdrawal function of Article 11a of Directive 2011/83/EU, in two steps. */
export default function Withdraw() {
  const { withdrawal } = useSettings()
  const { search, hash } = useLocation()
  return (
    <div className="page-width min-h-[calc(100svh-4rem)] pb-16">
      <PageHead title="Withdraw from contract" />
      <div className="max-w-[68ch]">
        {withdrawal ? (
          <QueryScope>
            <WithdrawalOfOrder key={search + hash} />
          </QueryScope>
        ) : (
          <EmptyState title="This shop has no withdrawal form.">Please contact us.</EmptyState>
        )}
      </div>
    </div>
  )
}

/** Loads the order of the link, to fill the form. The fragment is the key of a guest order. */
function WithdrawalOfOrder() {
  const session = useSession()
  const { search, hash } = useLocation()
  const [count, setCount] = useState(1)
  const id = new URLSearchParams(search).get('order') ?? ''
  const key = hash.slice(1)
  const customer = session.status === 'signed-in' ? session.user : null
  const canLoad = id !== '' && session.status !== 'loading' && (customer !== null || key !== '')
  const order = useQuery({ ...orderDetailsQuery(id, key, customer?._id ?? null), enabled: canLoad })
  const [first, setFirst] = useState<{ own: OrderDetails | undefined }>()
  const isLoading = session.status === 'loading' || (canLoad && order.isPending)
  if (!first && !isLoading) setFirst({ own: order.data })
  if (!first) return <FullSpinner />
  // After a sign-in in another tab, the form stays about the order that it was filled with.
  const own = first.own && (order.data ?? first.own)
  return (
    <Withdrawal
      key={count}
      orderId={own?.id}
      orderKey={key}
      isOfAccount={own?.guest === false}
      items={own ? listWithdrawable(own) : []}
      hasOpenReturn={own !== undefined && listAwaited(own.returns).length > 0}
      known={{
        orderNumber: id && orderNumber(id),
        email: own?.email ?? customer?.email ?? '',
        name: own?.name ?? customer?.name ?? '',
      }}
      onAgain={() => (search ? navigate('/withdraw') : setCount(count + 1))}
    />
  )
}

/** A line with the pieces that can be withdrawn. */
interface WithdrawableItem {
  line: number
  name: string
  pieces: number
}

/** Returns the pieces for which these returns wait, if they are open. */
const listAwaited = (returns: OrderDetails['returns']): { line: number; pieces: number }[] =>
  returns
    .flatMap(({ status, lines }) => (status === 'requested' || status === 'approved' ? lines : []))
    .flatMap(({ line, pieces, refundedPieces }) =>
      pieces > refundedPieces ? [{ line, pieces: pieces - refundedPieces }] : [],
    )

/**
 * Returns the lines with pieces that are neither cancelled, returned nor withdrawn, nor in an approved return. Pieces in
 * an undecided return can be withdrawn: an admin then decides on both.
 */
export const listWithdrawable = (order: Pick<OrderDetails, 'lines' | 'returns'>): WithdrawableItem[] => {
  const awaited = listAwaited(
    order.returns.filter(({ withdrawal, status }) => withdrawal || status === 'approved'),
  )
  return order.lines.flatMap((line, index) => {
    const inReturns = awaited
      .filter((each) => each.line === index + 1)
      .reduce((sum, each) => sum + each.pieces, 0)
    const pieces = line.openPieces + line.shippedPieces - line.returnedPieces - inReturns
    return pieces > 0 ? [{ line: index + 1, name: nameItem(line), pieces }] : []
  })
}

interface WithdrawalProps {
  /** The order of a reader who may see it. */
  orderId: string | undefined
  orderKey: string
  /** Whether this order belongs to the reader's account. */
  isOfAccount: boolean
  /** The items of this order. */
  items: WithdrawableItem[]
  /** Whether other pieces of this order are in open returns. */
  hasOpenReturn: boolean
  known: Pick<NewWithdrawal, 'orderNumber' | 'email' | 'name'>
  /** Opens an empty form for another order. */
  onAgain: () => void
}

function Withdrawal(props: WithdrawalProps) {
  const { orderId, orderKey, isOfAccount, items, hasOpenReturn, known, onAgain } = props
  const [statement, setStatement] = useState<NewWithdrawal>({ ...known, note: '' })
  const [step, setStep] = useState<'form' | 'statement' | 'receipt' | 'form again'>('form')
  const [receipt, setReceipt] = useState<WithdrawalReceipt | null>(null)
  // A repeated request, after a lost response, withdraws once.
  const [key] = useState(() => crypto.randomUUID())
  /** The chosen pieces by line; all of them at first. */
  const [pieces, setPieces] = useState<Record<number, number>>({})
  const chosen = items.map((item) => ({
    ...item,
    chosen: Math.min(pieces[item.line] ?? item.pieces, item.pieces),
  }))
  if (step === 'form' && orderId !== undefined && items.length === 0)
    return (
      <EmptyState
        title="Nothing is left to withdraw from"
        action={
          <LinkButton variant="quiet" href={`/order/${orderId}${orderKey && `#${orderKey}`}`}>
            Open the order
          </LinkButton>
        }
      >
        All items of order #{orderNumber(orderId)} are cancelled, returned or withdrawn already.
      </EmptyState>
    )
  return (
    // The focus follows the step.
    <div key={step} ref={step === 'form' ? undefined : focus} tabIndex={-1}>
      {receipt ? (
        <Receipt receipt={receipt} onAgain={onAgain} />
      ) : step === 'statement' ? (
        <Confirmation
          statement={statement}
          isOfAccount={isOfAccount}
          items={chosen.filter((item) => statement.lines?.some(({ line }) => line === item.line))}
          headers={{ ...orderKeyHeaders(orderKey), 'idempotency-key': key }}
          onBack={() => setStep('form again')}
          onReceived={(received) => {
            setReceipt(received)
            setStep('receipt')
          }}
        />
      ) : (
        <Form
          statement={statement}
          isKnown={orderId !== undefined}
          items={chosen}
          onPieces={(line, next) => setPieces({ ...pieces, [line]: next })}
          onContinue={(written) => {
            setStatement({ ...written, orderId, lines: toLines(chosen, hasOpenReturn) })
            setStep('statement')
          }}
        />
      )}
    </div>
  )
}

interface ChosenItem extends WithdrawableItem {
  chosen: number
}

/** Without lines, a withdrawal is from the whole order. Its statement names the items if a return is open for the others. */
function toLines(items: ChosenItem[], hasOpenReturn: boolean): NewWithdrawal['lines'] {
  if (!hasOpenReturn && items.every(({ pieces, chosen }) => chosen === pieces)) return undefined
  const lines = items.flatMap(({ line, chosen }) => (chosen > 0 ? [{ line, pieces: chosen }] : []))
  return lines.length > 0 ? lines : undefined
}

interface FormProps {
  statement: NewWithdrawal
  /** Whether the reader is the buyer of the order. */
  isKnown: boolean
  /** The items of the order; empty if it is not known. */
  items: ChosenItem[]
  onPieces: (line: number, pieces: number) => void
  onContinue: (statement: NewWithdrawal) => void
}

function Form({ statement, isKnown, items, onPieces, onContinue }: FormProps) {
  const isEmpty = items.length > 0 && items.every(({ chosen }) => chosen === 0)
  const [hasTried, setTried] = useState(false)
  const { field, formProps } = useCheckedForm<NewWithdrawal, void>({
    schema: NewWithdrawal,
    defaultValues: statement,
    async send(values) {
      if (isEmpty) setTried(true)
      else onContinue(values)
    },
  })
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <p>
        You can withdraw from your order here. You don't need to give a reason. You'll see your statement
        before you send it.
      </p>
      <TextField label="Order number" autoComplete="off" readOnly={isKnown} {...field('orderNumber')} />
      <TextField label="Email" type="email" autoComplete="email" readOnly={isKnown} {...field('email')} />
      <TextField label="Your name" autoComplete="name" {...field('name')} />
      {items.length > 0 ? (
        <Items items={items} onPieces={onPieces} />
      ) : (
        <TextField
          label="Items (optional)"
          autoComplete="off"
          hint="Leave it empty to withdraw from the whole order"
          {...field('note')}
        />
      )}
      {hasTried && isEmpty && <Alert>Choose at least one item.</Alert>}
      <Button type="submit" className="self-start">
        Continue
      </Button>
    </form>
  )
}

/** Chooses pieces of each item. */
function Items({ items, onPieces }: Pick<FormProps, 'items' | 'onPieces'>) {
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Items</legend>
      <ul className="divide-y divide-line border-y border-line">
        {items.map(({ line, name, pieces, chosen }) => {
          const choose = (next: number) =>
            onPieces(line, Math.min(Math.max(Math.trunc(next) || 0, 0), pieces))
          return (
            <li key={line} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
              <span className="min-w-0 wrap-anywhere">
                {name}
                <span className="block text-sm text-quiet">of {formatPieces(pieces)}</span>
              </span>
              <div className="w-36">
                <Stepper
                  named={`pieces of ${name}`}
                  aria-label={`Pieces of ${name}`}
                  min={0}
                  max={pieces}
                  value={chosen}
                  canDecrease={chosen > 0}
                  onStep={(step) => choose(chosen + step)}
                  onChange={(event) => choose(event.target.valueAsNumber)}
                />
              </div>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

/** Names no email for the order of an account: the receipt goes to the account's present email. */
export const describeReceipt = (isOfAccount: boolean, email: string): string =>
  isOfAccount ? "We'll confirm by email." : `We'll confirm by email to ${email}.`

interface ConfirmationProps extends Pick<WithdrawalProps, 'isOfAccount'> {
  statement: NewWithdrawal
  /** The items if it is a part of the order. */
  items: ChosenItem[]
  headers: Sent<'withdraw'>['headers']
  onBack: () => void
  onReceived: (receipt: WithdrawalReceipt) => void
}

function Confirmation({ statement, isOfAccount, items, headers, onBack, onReceived }: ConfirmationProps) {
  const { orderNumber: number, email, name } = statement
  const note = statement.note || items.map((item) => `${item.chosen} × ${item.name}`).join('; ')
  const { failure, isSubmitting, formProps } = useCheckedForm<NewWithdrawal, void>({
    schema: NewWithdrawal,
    defaultValues: statement,
    send: async (body) => onReceived(await call('withdraw', { headers, body })),
  })
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <p className="rounded-card border border-line bg-surface p-5 text-lg wrap-anywhere">
        I, {name}, withdraw from the contract for order {nameOrder(number)}
        {note && `, for these items: ${note}`}.
      </p>
      <p>{describeReceipt(isOfAccount, email)}</p>
      {failure !== undefined && <Alert>{explain(failure)}</Alert>}
      <div className="flex flex-wrap gap-3">
        <BusyButton type="submit" busy={isSubmitting}>
          Confirm withdrawal
        </BusyButton>
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  )
}

function explain(failure: unknown): string {
  if (failure instanceof ApiError && failure.code === 'IDEMPOTENCY_KEY_REUSED')
    return 'We have already received a withdrawal from this form. Reload the page to send another one.'
  if (isClientError(failure)) return readMessage(failure)
  return "We can't reach the shop. Check your connection and press Confirm withdrawal again."
}

interface ReceiptProps {
  receipt: WithdrawalReceipt
  onAgain: () => void
}

function Receipt({ receipt: { receivedAt, statement }, onAgain }: ReceiptProps) {
  const { mail } = useSettings()
  return (
    <div className="flex flex-col items-start gap-4">
      <p role="status" className="text-lg font-semibold">
        We received your withdrawal on {formatUtcMoment(receivedAt)}.
      </p>
      <p className="rounded-card border border-line bg-surface p-5 wrap-anywhere">{statement}</p>
      {mail !== 'off' && <p>We have sent you this confirmation by email. Keep it.</p>}
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" onClick={() => print()}>
          Print receipt
        </Button>
        <Button variant="quiet" onClick={onAgain}>
          Withdraw from another order
        </Button>
      </div>
    </div>
  )
}
