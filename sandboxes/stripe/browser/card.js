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

const UNREACHABLE = {
  type: 'api_connection_error',
  message: 'We could not reach the payment provider. Please check your connection.',
}

const form = document.getElementById('card')
const problemText = document.getElementById('problem')
const inputs = ['number', 'expiry', 'cvc'].map((id) => document.getElementById(id))
const [number, expiry, cvc] = inputs

/** Filled fields that have lost focus. Only these show that they are incomplete. */
const touched = new Set()
let key = ''
let port = null
let testNumbers = []
let loading = Promise.resolve()
let lastChange = ''

addEventListener('message', ({ source, data, ports }) => {
  if (port || source !== window.parent || !ports[0]) return
  key = data.key
  port = ports[0]
  port.addEventListener('message', ({ data: message }) => commands[message.type]?.(message))
  port.start()
  applyStyle(data.options.style)
  port.postMessage({ type: 'resize', height: Math.ceil(form.getBoundingClientRect().height) })
  loading = loadTestNumbers()
})

async function loadTestNumbers() {
  try {
    const cards = await (await fetch('test-cards.json')).json()
    testNumbers = cards.map((card) => card.number)
    // A number typed before was not known as a test card.
    if (number.value) emitChange()
  } catch {
    // Without the list every card is refused.
  }
}

const commands = {
  focus: () => (inputs.find((input) => findProblem(input)) ?? number).focus(),
  async tokenize({ requestId }) {
    port.postMessage({ type: 'response', requestId, body: await tokenize() })
  },
}

async function tokenize() {
  await loading
  for (const input of inputs) touched.add(input)
  emitChange()
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
    return { error: UNREACHABLE }
  }
}

function findProblem(input) {
  const digits = toDigits(number.value)
  if (input === number) return refuseNumber(digits, testNumbers)
  if (input === expiry) return refuseExpiry(readExpiry(expiry.value), new Date())
  return refuseCvc(cvc.value, detectBrand(digits))
}

/** Hides that a value is incomplete while the customer is typing. */
function findShownProblem(input) {
  const problem = findProblem(input)
  const isUnfinished = problem?.code.startsWith('incomplete_') && !touched.has(input)
  return isUnfinished ? null : problem
}

/** Stripe's `change` event. */
function readState() {
  const problem = inputs.map(findShownProblem).find(Boolean)
  return {
    brand: detectBrand(toDigits(number.value)),
    complete: inputs.every((input) => !findProblem(input)),
    empty: inputs.every((input) => input.value === ''),
    error: problem && { type: 'validation_error', ...problem },
    value: { postalCode: '' },
  }
}

function emitChange() {
  const state = readState()
  for (const input of inputs) input.setAttribute('aria-invalid', String(Boolean(findShownProblem(input))))
  form.toggleAttribute('data-invalid', Boolean(state.error))
  problemText.textContent = state.error?.message ?? ''
  if (JSON.stringify(state) === lastChange) return
  lastChange = JSON.stringify(state)
  emit('change', state)
}

function emit(type, event = {}) {
  port?.postMessage({ type, event })
}

/** Formats the input as on a card, and keeps the caret after the same digit. */
function show(input, text) {
  const caret = input.selectionStart
  const isAtEnd = caret === input.value.length
  const digitsBefore = toDigits(input.value.slice(0, caret)).length
  input.value = text
  if (isAtEnd) return
  let index = 0
  for (let seen = 0; seen < digitsBefore && index < text.length; index += 1) seen += /\d/.test(text[index])
  input.setSelectionRange(index, index)
}

function isDeleting(event) {
  return event.inputType?.startsWith('delete') ?? false
}

/** Focuses the next field when this one is complete and valid. */
function advance(input, next, event) {
  const isAtEnd = input.selectionStart === input.value.length
  if (!isDeleting(event) && isAtEnd && document.activeElement === input && !findProblem(input)) next.focus()
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
form.addEventListener('input', emitChange)

form.addEventListener('keydown', (event) => {
  const index = inputs.indexOf(event.target)
  if (event.key === 'Backspace' && event.target.value === '' && index > 0) {
    event.preventDefault()
    inputs[index - 1].focus()
  }
})
form.addEventListener('focusin', ({ target, relatedTarget }) => {
  target.removeAttribute('data-clipped')
  if (!inputs.includes(relatedTarget)) emit('focus')
})
form.addEventListener('focusout', ({ target, relatedTarget }) => {
  if (target.value !== '') touched.add(target)
  target.toggleAttribute('data-clipped', target.scrollWidth > target.clientWidth)
  target.scrollLeft = target.scrollWidth
  emitChange()
  if (!inputs.includes(relatedTarget)) emit('blur')
})
form.addEventListener('submit', (event) => event.preventDefault())

/** Applies the parts of Stripe's `style` option that a card field needs: https://docs.stripe.com/js/appendix/style. */
function applyStyle({ base = {}, invalid = {} } = {}) {
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
