/**
 * Stands in for Stripe.js where the shop has no Stripe keys: as much of it as a card form needs, behind the same
 * `window.Stripe`. Card details stay in the frame that asks for them; only an id comes out.
 */
;(() => {
  const files = new URL('.', document.currentScript.src)
  // A test may serve this very file in Stripe's place; then the API is in its place too.
  const isAtStripe = files.origin === 'https://js.stripe.com'
  const api = isAtStripe ? 'https://api.stripe.com/v1' : new URL('v1', files).href

  const NOT_REACHED = failure('We could not reach the payment provider. Please check your connection.')
  const FIELD_GONE = failure('The card field was removed from the page. Please try again.')

  function failure(message) {
    return { error: { type: 'api_connection_error', message } }
  }

  /** How to get a payment method out of a card Element; kept apart so that a page finds no way to the frame. */
  const tokenizers = new WeakMap()

  /** Opens one of the sandbox's pages in a frame, and a line to it that nobody else is on. */
  function openFrame(page, title, style, greeting, onMessage) {
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
    const line = new MessageChannel()
    line.port1.addEventListener('message', ({ data }) => onMessage(data))
    line.port1.start()
    const greet = () => frame.contentWindow.postMessage(greeting, files.origin, [line.port2])
    frame.addEventListener('load', greet, { once: true })
    return { frame, send: (message) => line.port1.postMessage(message), hangUp: () => line.port1.close() }
  }

  function createCard(key, options, forget) {
    const questions = new Map()
    let asked = 0
    let handlers = []
    let mounted = null

    function emit(type, event) {
      for (const known of handlers) if (known.type === type) known.handler({ elementType: 'card', ...event })
    }

    function unmount() {
      if (!mounted) return
      mounted.listening.abort()
      mounted.line.hangUp()
      mounted.container.replaceChildren()
      mounted = null
      for (const answer of questions.values()) answer(FIELD_GONE)
      questions.clear()
    }

    function onMessage(message) {
      if (message.type === 'answer') {
        questions.get(message.question)?.(message.body)
        questions.delete(message.question)
      } else if (message.type === 'resize') {
        mounted.line.frame.style.height = `${message.height}px`
      } else {
        showState(mounted.container, message)
        emit(message.type, message.event)
      }
    }

    function tokenize() {
      if (!mounted) return Promise.resolve(FIELD_GONE)
      const question = ++asked
      mounted.line.send({ type: 'tokenize', question })
      return new Promise((resolve) => questions.set(question, resolve))
    }

    const element = {
      on(type, handler) {
        handlers.push({ type, handler })
        return element
      },
      off(type, handler) {
        handlers = handlers.filter((known) => known.type !== type || (handler && known.handler !== handler))
        return element
      },
      mount(target) {
        const container = typeof target === 'string' ? document.querySelector(target) : target
        if (!container) throw new Error(`The selector you specified (${target}) applies to no DOM elements.`)
        unmount()
        const title = 'Secure card payment input frame'
        const line = openFrame('card.html', title, { height: '1.25em' }, { key, options }, onMessage)
        const listening = new AbortController()
        mounted = { container, line, listening }
        container.classList.add('StripeElement')
        showState(container, { type: 'change', event: { empty: true, complete: false } })
        container.replaceChildren(line.frame)
        for (const place of [container, ...labelsOf(container)]) {
          place.addEventListener('click', element.focus, { signal: listening.signal })
        }
        emit('loaderstart')
      },
      unmount,
      destroy() {
        unmount()
        forget()
      },
      update: (change) => mounted?.line.send({ type: 'update', options: change }),
      focus: () => mounted?.line.send({ type: 'focus' }),
      blur: () => mounted?.line.send({ type: 'blur' }),
      clear: () => mounted?.line.send({ type: 'clear' }),
    }
    tokenizers.set(element, tokenize)
    return element
  }

  function labelsOf({ id }) {
    return id ? [...document.querySelectorAll('label')].filter((label) => label.htmlFor === id) : []
  }

  /** The class names that Stripe.js sets too, for the page's own stylesheet. */
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
      // With one kind of Element, its name, or the React component for it, can mean no other.
      getElement: () => card,
      update() {},
    }
  }

  /** Shows the bank's page above everything else. Leaving it with Escape is failing it. */
  function authenticate(intent) {
    return new Promise((resolve) => {
      const dialog = document.createElement('dialog')
      dialog.setAttribute('aria-label', '3-D Secure authentication')
      const whole = { width: '100%', height: '100%', maxWidth: 'none', maxHeight: 'none' }
      Object.assign(dialog.style, {
        ...whole,
        margin: '0',
        padding: '0',
        border: '0',
        background: 'transparent',
      })
      const greeting = { amount: intent.amount, currency: intent.currency }
      const title = '3-D Secure test page'
      const line = openFrame('challenge.html', title, whole, greeting, ({ outcome }) => dialog.close(outcome))
      dialog.addEventListener('close', () => {
        line.hangUp()
        dialog.remove()
        resolve(dialog.returnValue === 'complete' ? 'complete' : 'fail')
      })
      dialog.append(line.frame)
      document.body.append(dialog)
      dialog.showModal()
    })
  }

  function intentIdOf(clientSecret) {
    const id = /^(pi_\w+?)_secret_\w+$/.exec(clientSecret)?.[1]
    if (id) return id
    throw new Error('The client secret should be of the form pi_…_secret_….')
  }

  /** @returns something with the `id` of a payment method, or an `error` */
  async function methodFrom(given) {
    if (typeof given === 'string') return { id: given }
    const tokenize = tokenizers.get(given?.card)
    if (!tokenize) throw new Error('We could not retrieve data from the specified Element. Is it mounted?')
    return tokenize()
  }

  function Stripe(key) {
    if (!key.startsWith('pk_test_')) throw new Error('The payment sandbox accepts only test keys: pk_test_….')

    /** The key goes with the other parameters, as Stripe.js sends it: so the browser need not ask first. */
    async function call(method, path, params) {
      const form = new URLSearchParams({ ...params, key })
      try {
        const address = method === 'GET' ? `${api}${path}?${form}` : api + path
        const response = await fetch(address, method === 'GET' ? {} : { method, body: form })
        return await response.json()
      } catch {
        return NOT_REACHED
      }
    }

    async function finish(clientSecret, intent) {
      if (intent.error) return { error: intent.error }
      if (intent.status !== 'requires_action') return { paymentIntent: intent }
      const outcome = await authenticate(intent)
      const path = `/payment_intents/${intent.id}/sandbox_authenticate`
      const settled = await call('POST', path, { client_secret: clientSecret, outcome })
      if (settled.error) return { error: settled.error }
      if (!settled.last_payment_error) return { paymentIntent: settled }
      return { error: { ...settled.last_payment_error, payment_intent: settled } }
    }

    return {
      elements: () => createElements(key),
      async confirmCardPayment(clientSecret, data = {}) {
        const id = intentIdOf(clientSecret)
        const method = data.payment_method ? await methodFrom(data.payment_method) : {}
        if (method.error) return { error: method.error }
        const params = { client_secret: clientSecret, ...(method.id && { payment_method: method.id }) }
        return finish(clientSecret, await call('POST', `/payment_intents/${id}/confirm`, params))
      },
      async retrievePaymentIntent(clientSecret) {
        const path = `/payment_intents/${intentIdOf(clientSecret)}`
        const intent = await call('GET', path, { client_secret: clientSecret })
        return intent.error ? { error: intent.error } : { paymentIntent: intent }
      },
      async handleNextAction({ clientSecret }) {
        const found = await this.retrievePaymentIntent(clientSecret)
        return found.error ? found : finish(clientSecret, found.paymentIntent)
      },
      async createPaymentMethod({ card, elements }) {
        const method = await methodFrom({ card: card ?? elements?.getElement('card') })
        return method.error ? { error: method.error } : { paymentMethod: method }
      },
      async createToken() {
        return failure('The payment sandbox creates payment methods, not tokens.')
      },
      registerAppInfo() {},
      _registerWrapper() {},
    }
  }

  // The release train that the installed @stripe/stripe-js asks for.
  Stripe.version = 'endive'
  window.Stripe = Stripe
})()
