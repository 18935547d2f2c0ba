import { LinkButton } from '../ui/link-button.tsx'

export function NotFound() {
  return (
    <div className="page-width flex min-h-[70svh] flex-col items-start justify-center gap-6 py-16">
      <p className="torque-stripe font-display text-[clamp(4rem,16vw,11rem)] leading-none font-bold">
        Error 404
      </p>
      <h1 className="font-display text-3xl font-bold">Oops! Page is broken...</h1>
      <p className="max-w-text text-lg text-quiet">
        We can't find a page at this address. Check the spelling or go back to the homepage.
      </p>
      <LinkButton href="/" size="large">
        Back to homepage
      </LinkButton>
    </div>
  )
}
