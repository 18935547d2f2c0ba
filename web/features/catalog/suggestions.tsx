import { useEffect, useRef, useState } from 'react'
import type { Suggestion } from '../../../contract/suggestions.ts'
import { call } from '../../api.ts'
import { isPlainClick, navigate } from '../../router/navigation.ts'
import { useLocation } from '../../router/router.tsx'
import { closePopover } from '../../ui/popover.ts'

/** Waits until the rider pauses, instead of a request for each typed character. */
const pauseMs = 150
const minLength = 2

const typeNames: Record<Suggestion['type'], string> = {
  parts: 'Parts',
  bike: 'Bike',
  make: 'Make',
  kind: 'Kind of part',
  brand: 'Brand',
  product: 'Product',
}

interface SuggestionsProps {
  /** Id of the list. */
  id: string
  input: HTMLInputElement
}

/** The suggestions for the text of a field: its list, and the keys that choose from it. */
export function Suggestions({ id, input }: SuggestionsProps) {
  const [found, setFound] = useState<Suggestion[]>([])
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const isShown = isOpen && found.length > 0
  const { pathname, search } = useLocation()
  const path = pathname + search
  const shownPath = useRef(path)
  const searched = useRef('')

  // The next page has other words, or none. A text that the rider has typed since the search stays.
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    if (input !== document.activeElement || input.value === searched.current) clear(input)
  }, [input, path])

  useEffect(() => {
    let timer = 0
    let request = new AbortController()
    const cancel = () => {
      request.abort()
      clearTimeout(timer)
    }
    const find = () => {
      cancel()
      setChosen(-1)
      const q = input.value.trim().slice(0, 100)
      if (q.length < minLength) return setFound([])
      timer = window.setTimeout(() => {
        request = new AbortController()
        void show(q, request.signal)
      }, pauseMs)
    }
    const show = async (q: string, signal: AbortSignal) => {
      // If it fails, the search itself still works.
      const { suggestions } = await call('suggest', { query: { q }, signal }).catch(() => ({
        suggestions: null,
      }))
      if (!suggestions) return
      setFound(suggestions)
      // An arrow key may have chosen from the previous list.
      setChosen(-1)
      setOpen(true)
    }
    const close = () => {
      cancel()
      setOpen(false)
    }
    const submit = () => {
      searched.current = input.value
      close()
    }
    const { form } = input
    const reopen = () => {
      setOpen(true)
      find()
    }
    const listening = new AbortController()
    const options = { signal: listening.signal }
    input.addEventListener('input', find, options)
    input.addEventListener('focus', reopen, options)
    input.addEventListener('blur', close, options)
    form?.addEventListener('submit', submit, options)
    find()
    return () => {
      cancel()
      listening.abort()
    }
  }, [input])

  useEffect(() => {
    input.setAttribute('aria-expanded', String(isShown))
    if (isShown && chosen >= 0) input.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    else input.removeAttribute('aria-activedescendant')
    const go = (path: string) => {
      leave(input)
      navigate(path)
    }
    const choose = (event: KeyboardEvent) => {
      const count = found.length + 1
      if (event.key === 'ArrowDown') setChosen(((chosen + 2) % count) - 1)
      else if (event.key === 'ArrowUp') setChosen(((chosen + count) % count) - 1)
      else if (event.key === 'Escape' && isShown) setOpen(false)
      else if (event.key === 'Enter' && isShown && found[chosen]) go(found[chosen].path)
      else return
      event.preventDefault()
    }
    input.addEventListener('keydown', choose)
    return () => input.removeEventListener('keydown', choose)
  }, [id, input, found, chosen, isShown])

  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      hidden={!isShown}
      // A list that scrolls would be a tab stop. The keys of the field scroll it.
      tabIndex={-1}
      // The field keeps the focus, and its list stays, until the click.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full z-5 mt-1 max-h-[calc(100dvh-8rem)] overflow-y-auto rounded-card border border-line
        bg-surface py-1 text-ink shadow-lg md:min-w-88"
    >
      {found.map(({ type, name, number, path }, index) => (
        <a
          key={path}
          ref={index === chosen ? scrollToOption : undefined}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          href={path}
          tabIndex={-1}
          // A click that opens a new tab changes nothing here.
          onClick={(event) => isPlainClick(event) && leave(input)}
          className="flex min-h-11 items-center justify-between gap-4 px-4 py-1.5 hover:bg-shade aria-selected:bg-shade"
        >
          <span className="min-w-0 wrap-anywhere">
            {name}
            {number && <span className="block text-sm text-quiet">{number}</span>}
          </span>
          <span className="shrink-0 text-sm text-quiet">{typeNames[type]}</span>
        </a>
      ))}
    </div>
  )
}

/** Closes the list. A slow response must not open it over the next page. */
function leave(input: HTMLInputElement): void {
  input.blur()
  closePopover(input)
}

function clear(input: HTMLInputElement): void {
  input.value = ''
}

// The keys move no focus, which would scroll.
const scrollToOption = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })
