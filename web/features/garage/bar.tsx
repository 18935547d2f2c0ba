import { type ComponentProps, type MouseEvent, useEffect } from 'react'
import { readBikeId } from '../../../contract/bike-urls.ts'
import { readText } from '../../local-storage.ts'
import { onDemand } from '../../on-demand.ts'
import { isPlainClick } from '../../router/navigation.ts'
import { useHydrated, useLocation, useSettings } from '../../router/router.tsx'
import { BikeIcon } from '../../ui/icons.tsx'

// Every page has this file. The rest is loaded for riders who have a bike or choose one.

export const tools = onDemand(() => import('./tools.tsx'))

/** Loads the code of garage and dialog. If it fails, the next page tries it again. */
export const loadQuietly = () => void tools.load().catch(() => undefined)

/** Returns whether this browser has a garage, without its code. */
const hasGarage = () => readText('garage') !== null

function loadIfStored(): void {
  if (hasGarage()) loadQuietly()
}

/** Returns whether the garage or the URL has a bike, as far as is known without the code of the garage. */
export const mayHaveBike = (): boolean => hasGarage() || readBikeId(location.search) !== null

/** The id of the bike in the URL. Null on the server: its product pages are the same for all bikes. */
export function useBikeInUrl(): number | null {
  const { search } = useLocation()
  return useHydrated() ? readBikeId(search) : null
}

/**
 * The current bike, below the navigation bar. Only the browser has it: pages are the same for all visitors.
 *
 * @param customerId the signed-in customer, whose garage takes over the garage of the guest
 */
export function BikeBar({ customerId }: { customerId: string | null }) {
  const { hasBikes } = useSettings()
  const isInUrl = useBikeInUrl() !== null
  const code = tools.useCode()
  useEffect(() => {
    if (!hasBikes) return
    if (customerId || isInUrl) loadQuietly()
    loadIfStored()
    addEventListener('storage', loadIfStored)
    return () => removeEventListener('storage', loadIfStored)
  }, [hasBikes, customerId, isInUrl])
  if (!hasBikes) return null
  return (
    <div id="bike" className="border-t border-ink-line">
      <div className="page-width flex h-12 items-center gap-3">
        {code && <code.BikeMenu customerId={customerId} />}
        {/* It stays in the document, because it may be pressed while the code is loaded. */}
        <ChooseBike className="flex h-11 items-center gap-2 -outline-offset-3 hover:text-signal-bright not-only:hidden">
          <BikeIcon />
          Choose your bike
        </ChooseBike>
      </div>
    </div>
  )
}

/** Link to the list of bikes, which opens the dialog instead. */
export const ChooseBike = (props: Omit<ComponentProps<'a'>, 'href' | 'onClick'>) => (
  <a {...props} href="/bikes" onPointerDown={loadQuietly} onClick={choose}>
    {props.children}
  </a>
)

function choose(event: MouseEvent<HTMLAnchorElement>): void {
  if (!isPlainClick(event)) return
  event.preventDefault()
  openPicker()
}

type PickerOptions = Parameters<Awaited<ReturnType<typeof tools.load>>['openPicker']>

/** Opens the dialog that chooses a bike, or the list of bikes if its code cannot be loaded. */
export function openPicker(...options: PickerOptions): void {
  replaceFrame(openFrame(), options).catch(() => location.assign('/bikes'))
}

async function replaceFrame(frame: HTMLDialogElement, options: PickerOptions): Promise<void> {
  const code = await tools.load()
  if (!frame.open) return
  // The focus returns to the pressed control first, so that the dialog can return it too.
  frame.close()
  code.openPicker(...options)
}

/** Within this time the second click or tap of a double one hits the dialog that the first one opened. */
const doubleClickMs = 500

/** Opens an empty dialog as large as the one whose code is being loaded. A click or Back closes it. */
function openFrame(): HTMLDialogElement {
  const frame = document.createElement('dialog')
  frame.ariaLabel = 'Choose your bike'
  frame.innerHTML =
    'Loading …<p class="animate-slow overflow-hidden">This is slow. <a href="/bikes" class="inline-flex min-h-11 items-center font-semibold text-signal underline">Try the list of bikes</a></p>'
  frame.className = 'bike-dialog'
  const close = () => frame.close()
  setTimeout(() => frame.addEventListener('click', close), doubleClickMs)
  frame.addEventListener('close', () => frame.remove())
  addEventListener('popstate', close, { once: true })
  document.body.append(frame)
  frame.showModal()
  return frame
}
