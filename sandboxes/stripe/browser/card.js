import {
  detectBrand,
  getLengths,
  readExpiry,
  refuseCvc,
  refuseExpiry,
  refuseNumber,
  showExpiry,
  showNumber,
  toDigits,
} from './card-fields.js'

const isAtStripe = location.origin === 'https://js.stripe.com'
const api = isAtStripe ? 'https://api.stripe.com/v1' : new URL('v1', location.href).href

const NOT_REACHED = {
  type: 'api_connection_error',
  message: 'We could not reach the payment provider. Please check your connection.',
}

const form = document.getElementById('card')
const problemText = document.getElementById('problem')
const inputs = ['number', 'expiry', 'cvc'].map((id) => document.getElementById(id))
const [number, expiry, cvc] = inputs

/** Fields that were left with something in them: from then on their being incomplete is said. */
const left = new Set()
let key = ''
let port = null
let testNumbers = []
let lastChange = ''

addEventListener('message', ({ source, data, ports }) => {
  if (port || source !== window.parent || !ports[0]) return
  key = data.key
  port = ports[0]
  port.addEventListener('message', ({ data: message }) => commands[message.type]?.(message))
  port.start()
  applyOptions(data.options)
  void loadTestNumbers()
})

async function loadTestNumbers() {
  try {
    const cards = await (await fetch('test-cards.json')).json()
    testNumbers = cards.map((card) => card.number)
    tell('ready')
  } catch {
    tell('loaderror', { error: NOT_REACHED })
  }
}

const commands = {
  update: ({ options }) => applyOptions(options),
  focus: () => (inputs.find((input) => problemOf(input)) ?? number).focus(),
  blur: () => document.activeElement?.blur(),
  clear() {
    for (const input of inputs) input.value = ''
    left.clear()
    tellChange()
  },
  async tokenize({ question }) {
    port.postMessage({ type: 'answer', question, body: await tokenize() })
  },
}

async function tokenize() {
  for (const input of inputs) left.add(input)
  tellChange()
  const { error } = readState()
  if (error) return { error }
  const [month, year] = [readExpiry(expiry.value).slice(0, 2), readExpiry(expiry.value).slice(2)]
  const params = {
    key,
    type: 'card',
    'card[number]': toDigits(number.value),
    'card[exp_month]': month,
    'card[exp_year]': year,
    'card[cvc]': cvc.value,
  }
  try {
    const response = await fetch(`${api}/payment_methods`, {
      method: 'POST',
      body: new URLSearchParams(params),
    })
    return await response.json()
  } catch {
    return { error: NOT_REACHED }
  }
}

function problemOf(input) {
  const digits = toDigits(number.value)
  if (input === number) return refuseNumber(digits, testNumbers)
  if (input === expiry) return refuseExpiry(readExpiry(expiry.value), new Date())
  return refuseCvc(cvc.value, detectBrand(digits))
}

/** Being incomplete is no mistake as long as somebody is still typing. */
function shownProblemOf(input) {
  const problem = problemOf(input)
  const isUnfinished = problem?.code.startsWith('incomplete_') && !left.has(input)
  return isUnfinished ? null : problem
}

/** Stripe's `change` event. */
function readState() {
  const problem = inputs.map(shownProblemOf).find(Boolean)
  return {
    brand: detectBrand(toDigits(number.value)),
    complete: inputs.every((input) => !problemOf(input)),
    empty: inputs.every((input) => input.value === ''),
    error: problem && { type: 'validation_error', ...problem },
    value: { postalCode: '' },
  }
}

function tellChange() {
  const state = readState()
  for (const input of inputs) input.setAttribute('aria-invalid', String(Boolean(shownProblemOf(input))))
  form.toggleAttribute('data-invalid', Boolean(state.error))
  problemText.textContent = state.error?.message ?? ''
  if (JSON.stringify(state) === lastChange) return
  lastChange = JSON.stringify(state)
  tell('change', state)
}

function tell(type, event = {}) {
  port?.postMessage({ type, event })
}

/** Writes what was typed in the form that it has on a card, and keeps the caret after the same digit. */
function show(input, text) {
  const caret = input.selectionStart
  const isAtEnd = caret === input.value.length
  const digitsBefore = toDigits(input.value.slice(0, caret)).length
  input.value = text
  if (isAtEnd) return
  let place = 0
  for (let seen = 0; seen < digitsBefore && place < text.length; place += 1) seen += /\d/.test(text[place])
  input.setSelectionRange(place, place)
}

function isDeleting(event) {
  return event.inputType?.startsWith('delete') ?? false
}

/** Goes on to the next field once this one holds all it can, and rightly. */
function advance(input, next, event) {
  const isAtEnd = input.selectionStart === input.value.length
  if (!isDeleting(event) && isAtEnd && document.activeElement === input && !problemOf(input)) next.focus()
}

number.addEventListener('input', (event) => {
  const digits = toDigits(number.value)
  show(number, showNumber(digits.slice(0, getLengths(detectBrand(digits)).number)))
  advance(number, expiry, event)
})
expiry.addEventListener('input', (event) => {
  show(expiry, showExpiry(readExpiry(expiry.value), isDeleting(event)))
  advance(expiry, cvc, event)
})
cvc.addEventListener('input', () => {
  show(cvc, toDigits(cvc.value).slice(0, getLengths(detectBrand(toDigits(number.value))).cvc))
})
form.addEventListener('input', tellChange)

form.addEventListener('keydown', (event) => {
  const place = inputs.indexOf(event.target)
  if (event.key === 'Escape') tell('escape')
  if (event.key === 'Backspace' && event.target.value === '' && place > 0) {
    event.preventDefault()
    inputs[place - 1].focus()
  }
})
form.addEventListener('focusin', ({ target, relatedTarget }) => {
  target.removeAttribute('data-clipped')
  if (!inputs.includes(relatedTarget)) tell('focus')
})
form.addEventListener('focusout', ({ target, relatedTarget }) => {
  if (target.value !== '') left.add(target)
  target.toggleAttribute('data-clipped', target.scrollWidth > target.clientWidth)
  target.scrollLeft = target.scrollWidth
  tellChange()
  if (!inputs.includes(relatedTarget)) tell('blur')
})
form.addEventListener('submit', (event) => event.preventDefault())

function applyOptions(options) {
  if ('disabled' in options) for (const input of inputs) input.disabled = Boolean(options.disabled)
  if ('hideIcon' in options) document.getElementById('icon').hidden = Boolean(options.hideIcon)
  if (options.style) applyStyle(options.style)
  port?.postMessage({ type: 'resize', height: Math.ceil(form.getBoundingClientRect().height) })
}

/** Stripe's `style` option: https://docs.stripe.com/js/appendix/style, as far as a plain card field has use for it. */
function applyStyle({ base = {}, invalid = {} }) {
  const variables = {
    '--color': base.color,
    '--font-family': base.fontFamily,
    '--font-size': base.fontSize,
    '--font-weight': base.fontWeight,
    '--letter-spacing': base.letterSpacing,
    '--line-height': base.lineHeight,
    '--icon-color': base.iconColor,
    '--placeholder-color': base['::placeholder']?.color,
    '--invalid-color': invalid.color,
  }
  for (const [name, value] of Object.entries(variables)) {
    if (value) document.documentElement.style.setProperty(name, String(value))
  }
}
