import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { PublicSettings } from '../../page-context.ts'

/**
 * Loads Stripe.js, or the sandbox script that replaces it. Logs a failure and returns null: the specification requires
 * the messages 'Failed to load Stripe.js' and 'Stripe.js not available'.
 */
export async function openStripe({
  publishableKey,
  script,
}: PublicSettings['stripe']): Promise<Stripe | null> {
  try {
    if (script && !window.Stripe) await loadSandbox(script)
    return await loadStripe(publishableKey)
  } catch (error) {
    // oxlint-disable-next-line no-console -- see above
    console.error(error instanceof Error ? error.message : error)
    return null
  }
}

function loadSandbox(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('load', () =>
      window.Stripe ? resolve() : reject(new Error('Stripe.js not available')),
    )
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error('Failed to load Stripe.js'))
    })
    document.head.append(script)
  })
}
