import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { readBikeId } from '../../../contract/bike-urls.ts'
import type { Product } from '../../../contract/catalog.ts'
import type { FitResult, Fits } from '../../../contract/fit.ts'
import type { FitAnswer } from '../../../contract/fit-answer.ts'
import { ApiError, call } from '../../api.ts'
import { navigate } from '../../router/navigation.ts'
import { Link, useLocation, usePendingUrl } from '../../router/router.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { Slow } from '../../ui/slow.tsx'
import { rememberAnyBike, wantsAnyBike } from '../garage/any-bike.ts'
import { AskVersion } from '../garage/ask-version.tsx'
import { ChooseBike, tools } from '../garage/bar.tsx'
import { removeUnknown } from '../garage/garage.ts'
import { nameFitting, partsPath } from '../garage/parts-that-fit.ts'
import { readGarage, type StoredBike, useCurrentBike, useGarage } from '../garage/stored-garage.ts'
import { showDialog, takeOverBike } from '../garage/tools.tsx'
import { checkBike, checkLines, type OrderedBike, requestFit } from './check.ts'
import { fitLabels, nameFit } from './labels.ts'
import { actionClass, filterClass } from './no-bike.tsx'
import { FitText, fitLooks } from './text.tsx'
import type { FitWarning } from './warning.tsx'

/** Finds the bike to order a product for. See `checkBike`. `action` is the text of the button that goes on. */
export async function checkFit({ _id, kind }: Product, action: string): Promise<OrderedBike | null> {
  const bike = readBikeId(location.search) ?? readGarage().current
  if (bike === null) return { bike: undefined }
  return checkBike(_id, bike, (fit) => warn({ fit, kind, action }))
}

/** Asks before an order of parts that do not fit. See `checkLines`. */
export const checkFits = (lines: Parameters<typeof checkLines>[0]): Promise<boolean> =>
  checkLines(lines, (fit, kind) => warn({ fit, kind, action: 'Order anyway' }))

/** Returns whether the rider goes on. */
async function warn(warning: Omit<ComponentProps<typeof FitWarning>, 'onClose'>): Promise<boolean> {
  // The tools show the dialog. A rider without a garage has not loaded them.
  const [{ FitWarning }] = await Promise.all([import('./warning.tsx'), tools.load()])
  return new Promise((resolve) => {
    const close = (goesOn: boolean) => {
      showDialog(null)
      resolve(goesOn)
    }
    showDialog(<FitWarning {...warning} onClose={close} />)
  })
}

/** The id of the bike in the URL, or else of the current one. */
function useBikeId(): number | null {
  const { search } = useLocation()
  const { current } = useGarage()
  return readBikeId(search) ?? current
}

function watchSize(listener: () => void): () => void {
  addEventListener('resize', listener)
  return () => removeEventListener('resize', listener)
}

interface BadgeProps {
  product: Pick<Product, '_id' | 'kind'>
  /** URL of the bikes that the product is listed for, if it has any. */
  bikesHref: string | undefined
}

/** Content of a product's badge. Nothing without a bike. */
export function Badge({ product, bikesHref }: BadgeProps) {
  const { _id: productId, kind } = product
  const bike = useBikeId()
  const width = useSyncExternalStore(watchSize, () => document.documentElement.clientWidth)
  const [attempt, setAttempt] = useState(0)
  const key = `${productId} ${bike} ${attempt}`
  const [outcome, setOutcome] = useState<{ key: string; fit?: FitResult; error?: unknown }>()

  useEffect(() => {
    if (bike === null) return
    const request = new AbortController()
    requestFit(productId, bike, request.signal).then(
      (fit) => setOutcome({ key, fit }),
      (error: unknown) => !request.signal.aborted && setOutcome({ key, error }),
    )
    return () => request.abort()
  }, [key, productId, bike])

  if (bike === null) return null
  if (outcome?.key !== key) {
    return (
      <div key={key} className="text-quiet">
        Checking the fit … <Slow onRetry={() => setAttempt(attempt + 1)} />
      </div>
    )
  }
  // At another width the answer is measured again.
  if (outcome.fit) {
    return <Answer key={`${key} ${width}`} fit={outcome.fit} kind={kind} bikesHref={bikesHref} />
  }
  if (outcome.error instanceof ApiError && outcome.error.code === 'BIKE_NOT_FOUND') {
    return (
      <p>
        {outcome.error.message} <ChooseBike className={actionClass}>Choose your bike</ChooseBike>
      </p>
    )
  }
  return (
    <p>
      We could not check the fit. <Action onClick={() => setAttempt(attempt + 1)}>Try again</Action>
    </p>
  )
}

const Action = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={actionClass} onClick={onClick}>
    {children}
  </button>
)

interface AnswerProps extends Pick<BadgeProps, 'bikesHref'> {
  fit: FitResult
  kind: string | undefined
}

/** An answer with long notes is cut to the reserved space, until the rider wants to read all of it. */
function Answer({ fit, kind, bikesHref }: AnswerProps) {
  const shell = useRef<HTMLDivElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => {
    const badge = shell.current?.closest<HTMLElement>('[role="status"]')
    if (badge) setLong(badge.offsetHeight > Number.parseFloat(getComputedStyle(badge).minHeight))
  }, [])
  const step = <NextStep fit={fit} kind={kind} bikesHref={bikesHref} />
  const clamp = nextSteps.has(fit.answer) ? 'line-clamp-2' : 'line-clamp-3'
  return (
    // Its colour covers the badge.
    <div ref={shell} className="-mx-3 -my-2 flex grow flex-col">
      <FitText
        fit={fit}
        className="flex grow flex-col justify-center rounded-card px-3 py-2"
        textClass={isLong ? (isOpen ? 'flex flex-col gap-2' : clamp) : ''}
      >
        {step}
        {isLong && (
          <button type="button" aria-expanded={isOpen} className={stepClass} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : 'Show all'}
          </button>
        )}
      </FitText>
    </div>
  )
}

const stepClass = `${actionClass} lg:pointer-fine:min-h-8`

const nextSteps = new Set<FitAnswer>(['fits_some', 'does_not_fit', 'not_confirmed'])

/** The links and the button after an answer. */
function NextStep({ fit: { answer, bike }, kind, bikesHref }: AnswerProps) {
  if (answer === 'fits_some') return <AskVersion bike={bike} />
  const href = partsPath(bike.id, kind)
  if (answer === 'does_not_fit') {
    return (
      <LinkButton variant="ink" size="small" className="mt-1" href={href}>
        {nameFitting(kind)}
      </LinkButton>
    )
  }
  if (answer !== 'not_confirmed') return null
  return (
    <>
      <a href={href} className={stepClass}>
        {nameFitting(kind)}
      </a>
      {bikesHref && (
        <a href={bikesHref} className={stepClass}>
          Its bikes
        </a>
      )}
    </>
  )
}

/** Parameters of a list whose rider has chosen something else than the parts for the current bike. */
const otherChoices = ['bike', 'fit', 'plain', 'page']

interface OnlyFittingLinkProps {
  toList: (bike: number) => string
  opensItself: boolean
  models?: string[]
}

/** Link to the parts of a list that fit the current bike. Nothing without a bike. */
export function OnlyFittingLink({ toList, opensItself, models }: OnlyFittingLinkProps) {
  const bike = useCurrentBike()
  const { search, state } = useLocation()
  // Another navigation would end it: the rider has chosen a product while the bike was loaded.
  const isLeaving = usePendingUrl() !== null
  const href = bike && toList(bike.id)
  const isForAnyBike = (state as { anyBike?: unknown } | null)?.anyBike === true
  const isOther = !opensItself || otherChoices.some((name) => new URLSearchParams(search).has(name))
  useEffect(() => {
    // Not again for a bike that is chosen on this page.
    if (isForAnyBike) rememberAnyBike(true)
  }, [isForAnyBike])
  useEffect(() => {
    if (href && !isOther && !isLeaving && !wantsAnyBike()) navigate(href, { replace: true, keepScroll: true })
  }, [href, isOther, isLeaving])
  if (!bike || !href) return null
  // Without an element there would be the link that asks for a bike.
  if (models?.every((model) => !isOfModel(bike, model))) return <span />
  return (
    <Link href={href} className={filterClass} onClick={() => rememberAnyBike(false)}>
      {models ? <>Only parts for your {bike.name}</> : <>Show only parts that fit your {bike.name}</>}
    </Link>
  )
}

/** The name of a bike is its year, its model and perhaps its version. */
const isOfModel = ({ name }: StoredBike, model: string) => `${name} `.includes(` ${model} `)

/** Makes the bike of the page the current one. */
export function UseBike({ bike }: { bike: StoredBike }) {
  const { current } = useGarage()
  if (current === bike.id) {
    return (
      <Chip tone="good" icon={CheckIcon}>
        Your bike
      </Chip>
    )
  }
  return (
    <Button variant="ink" size="small" onClick={() => void takeOverBike(bike)}>
      Use this bike
    </Button>
  )
}

type ListedFit = Fits['fits'][number]

interface MarkProps {
  productId: string
  /** The bike of the list. Null: the current one. */
  bike: number | null
  isNamed: boolean
}

/** Short form of the answer for a product in a list, over its picture. */
export function Mark({ productId, bike: ofList, isNamed }: MarkProps) {
  const current = useBikeId()
  const named = useCurrentBike()
  const bike = ofList ?? current
  const key = `${productId} ${bike}`
  const [known, setKnown] = useState<{ key: string; fit: ListedFit | undefined }>()
  useEffect(() => {
    let isCurrent = true
    if (bike !== null) {
      // Without an answer the card shows nothing; the page of the product explains a failure.
      askFit(productId, bike).then(
        (fit) => isCurrent && setKnown({ key, fit }),
        (error: unknown) => removeUnknown(bike, error),
      )
    }
    return () => {
      isCurrent = false
    }
  }, [key, productId, bike])
  const { answer, needsNoBike } = (known?.key === key && known.fit) || {}
  if (!answer || answer === 'gear' || needsNoBike) return null
  return (
    <span className="absolute top-2 left-2 max-w-[calc(100%-1rem)]">
      <Chip {...fitLooks[answer]} wraps>
        {isNamed && named?.id === bike ? nameFit(answer, named.name) : fitLabels[answer]}
      </Chip>
    </span>
  )
}

const maxProductsPerCall = 40
let batch: { bike: number; products: string[]; reply: ReturnType<typeof call<'listFits'>> } | null = null

/** Asks for the products that are drawn together with one call. */
async function askFit(product: string, bike: number): Promise<ListedFit | undefined> {
  if (batch?.bike !== bike || batch.products.length >= maxProductsPerCall) {
    const products: string[] = []
    const reply = Promise.resolve().then(() => {
      batch = null
      return call('listFits', { query: { bike, product: products } })
    })
    batch = { bike, products, reply }
  }
  batch.products.push(product)
  const { fits } = await batch.reply
  return fits.find((fit) => fit.product === product)
}
