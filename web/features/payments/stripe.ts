import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { PublicSettings } from '../../page-context.ts'

let opened: Promise<Stripe | null> | null = null

/**
 * Loads Stripe.js once, or the sandbox script that replaces it. Logs a failure and returns null; the next call tries
 * again.
 */
export function openStripe({ publishableKey, script }: PublicSettings['stripe']): Promise<Stripe | null> {
  opened ??= (script ? loadSandbox(script) : Promise.resolve())
    .then(() => loadStripe(publishableKey))
    .catch((error: unknown) => {
      opened = null
      logFailure(error)
      return null
    })
  return opened
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

/** The specification requires these log messages: 'Failed to load Stripe.js', 'Stripe.js not available'. */
function logFailure(error: unknown): void {
  // oxlint-disable-next-line no-console -- see above
  console.error(error instanceof Error ? error.message : error)
}
