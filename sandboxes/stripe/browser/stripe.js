/**
 * Replaces Stripe.js if the shop has no Stripe keys: the parts of `window.Stripe` that a card form needs.
 * Card details stay in their iframe; the page gets only an id.
 */
;(() => {
  const files = new URL('.', document.currentScript.src)
  // Tests may serve this file from Stripe's URL; then the API is at Stripe's URL too.
  const isAtStripe = files.origin === 'https://js.stripe.com'
  const api = isAtStripe ? 'https://api.stripe.com/v1' : new URL('v1', files).href

  const UNREACHABLE = failure('We could not reach the payment provider. Please check your connection.')
  const FIELD_REMOVED = failure('The card field was removed from the page. Please try again.')

  function failure(message) {
    return { error: { type: 'api_connection_error', message } }
  }

  /** The tokenize function of each card Element. Not a property, so that the page cannot reach the iframe. */
  const tokenizers = new WeakMap()

  /** Opens a page of the sandbox in an iframe, with a private message channel. */
  function openFrame(page, title, style, init, onMessage) {
    const frame = document.createElement('iframe')
    frame.src = new URL(page, files).href
    frame.title = title
    Object.assign(frame.style, {
      border: '0',
      display: 'block',
      width: '100%',
      colorScheme: 'light',
      ...style,
    })
    const { port1: port, port2 } = new MessageChannel()
    port.addEventListener('message', ({ data }) => onMessage(data))
    port.start()
    const sendInit = () => frame.contentWindow.postMessage(init, files.origin, [port2])
    frame.addEventListener('load', sendInit, { once: true })
    return { frame, send: (message) => port.postMessage(message), close: () => port.close() }
  }

  function createCard(key, options, forget) {
    const pending = new Map()
    let lastRequestId = 0
    let handlers = []
    let mounted = null

    function emit(type, event) {
      for (const entry of handlers) if (entry.type === type) entry.handler({ elementType: 'card', ...event })
    }

    function unmount() {
      if (!mounted) return
      mounted.listening.abort()
      mounted.channel.close()
      mounted.container.replaceChildren()
      mounted = null
      for (const resolve of pending.values()) resolve(FIELD_REMOVED)
      pending.clear()
    }

    function onMessage(message) {
      if (message.type === 'response') {
        pending.get(message.requestId)?.(message.body)
        pending.delete(message.requestId)
      } else if (message.type === 'resize') {
        mounted.channel.frame.style.height = `${message.height}px`
      } else {
        showState(mounted.container, message)
        emit(message.type, message.event)
      }
    }

    function tokenize() {
      if (!mounted) return Promise.resolve(FIELD_REMOVED)
      const requestId = ++lastRequestId
      mounted.channel.send({ type: 'tokenize', requestId })
      return new Promise((resolve) => pending.set(requestId, resolve))
    }

    const element = {
      on(type, handler) {
        handlers.push({ type, handler })
        return element
      },
      off(type, handler) {
        handlers = handlers.filter((entry) => entry.type !== type || (handler && entry.handler !== handler))
        return element
      },
      mount(container) {
        unmount()
        const title = 'Secure card payment input frame'
        const channel = openFrame('card.html', title, { height: '1.25em' }, { key, options }, onMessage)
        const listening = new AbortController()
        mounted = { container, channel, listening }
        container.classList.add('StripeElement')
        showState(container, { type: 'change', event: { empty: true, complete: false } })
        container.replaceChildren(channel.frame)
        for (const clickable of [container, ...findLabels(container)]) {
          clickable.addEventListener('click', element.focus, { signal: listening.signal })
        }
      },
      destroy() {
        unmount()
        forget()
      },
      focus: () => mounted?.channel.send({ type: 'focus' }),
    }
    tokenizers.set(element, tokenize)
    return element
  }

  function findLabels({ id }) {
    return id ? [...document.querySelectorAll('label')].filter((label) => label.htmlFor === id) : []
  }

  /** Sets the same class names as Stripe.js, for the stylesheet of the page. */
  function showState(container, { type, event }) {
    const { classList } = container
    if (type === 'focus' || type === 'blur') classList.toggle('StripeElement--focus', type === 'focus')
    if (type !== 'change') return
    classList.toggle('StripeElement--empty', event.empty)
    classList.toggle('StripeElement--complete', event.complete)
    classList.toggle('StripeElement--invalid', Boolean(event.error))
  }

  function createElements(key) {
    let card = null
    return {
      create(type, options = {}) {
        if (type !== 'card') throw new Error(`The payment sandbox has only a card Element, not ${type}.`)
        if (card) throw new Error('Can only create one Element of type card.')
        card = createCard(key, options, () => {
          card = null
        })
        return card
      },
      // Ignores its argument, because there is only one kind of Element.
      getElement: () => card,
    }
  }

  /** Shows the 3-D Secure page in a modal dialog. Escape counts as a failure. */
  function authenticate(intent) {
    return new Promise((resolve) => {
      const dialog = document.createElement('dialog')
      dialog.setAttribute('aria-label', '3-D Secure authentication')
      const size = { width: '100%', height: '100%', maxWidth: 'none', maxHeight: 'none' }
      Object.assign(dialog.style, {
        ...size,
        margin: '0',
        padding: '0',
        border: '0',
        background: 'transparent',
      })
      const init = { amount: intent.amount, currency: intent.currency }
      const title = '3-D Secure test page'
      const channel = openFrame('challenge.html', title, size, init, ({ outcome }) => dialog.close(outcome))
      dialog.addEventListener('close', () => {
        channel.close()
        dialog.remove()
        resolve(dialog.returnValue === 'complete' ? 'complete' : 'fail')
      })
      dialog.append(channel.frame)
      document.body.append(dialog)
      dialog.showModal()
    })
  }

  function parseIntentId(clientSecret) {
    const id = /^(pi_\w+?)_secret_\w+$/.exec(clientSecret)?.[1]
    if (id) return id
    throw new Error('The client secret should be of the form pi_…_secret_….')
  }

  function unsupported() {
    throw new Error('The payment sandbox supports only confirmCardPayment.')
  }

  function Stripe(key) {
    if (!key.startsWith('pk_test_')) throw new Error('The payment sandbox accepts only test keys: pk_test_….')

    /** Sends the key as a parameter like Stripe.js, because a header would need a CORS preflight. */
    async function call(path, params) {
      const body = new URLSearchParams({ ...params, key })
      try {
        const response = await fetch(api + path, { method: 'POST', body })
        return await response.json()
      } catch {
        return UNREACHABLE
      }
    }

    async function finish(clientSecret, intent) {
      if (intent.error) return { error: intent.error }
      if (intent.status !== 'requires_action') return { paymentIntent: intent }
      const outcome = await authenticate(intent)
      const path = `/payment_intents/${intent.id}/sandbox_authenticate`
      const settled = await call(path, { client_secret: clientSecret, outcome })
      if (settled.error) return { error: settled.error }
      if (!settled.last_payment_error) return { paymentIntent: settled }
      return { error: { ...settled.last_payment_error, payment_intent: settled } }
    }

    return {
      elements: () => createElements(key),
      async confirmCardPayment(clientSecret, { payment_method: { card } }) {
        const id = parseIntentId(clientSecret)
        const tokenize = tokenizers.get(card)
        if (!tokenize) throw new Error('Could not retrieve data from the specified Element. Is it mounted?')
        const method = await tokenize()
        if (method.error) return { error: method.error }
        const params = { client_secret: clientSecret, payment_method: method.id }
        return finish(clientSecret, await call(`/payment_intents/${id}/confirm`, params))
      },
      // Never called, but react-stripe-js rejects an object without these functions.
      createPaymentMethod: unsupported,
      createToken: unsupported,
    }
  }

  // The release train that the installed @stripe/stripe-js requires.
  Stripe.version = 'endive'
  window.Stripe = Stripe
})()
