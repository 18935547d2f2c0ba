import motorcycle from '../../../drawings/hero.svg'
import { LinkButton } from '../../ui/link-button.tsx'

/** Top of the home page. The title is as large as the screen allows, with the motorcycle below it. */
export function Hero() {
  return (
    <section aria-labelledby="hero" className="on-ink overflow-hidden bg-ink text-white">
      <div
        className="page-width relative grid grid-cols-[minmax(0,1fr)] pt-10 md:min-h-[34rem]
          md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] md:pt-14"
      >
        <h1
          id="hero"
          className="font-display text-[clamp(min(4.5rem,(100vw-2rem)/4.7),15.5vw,14.5rem)] leading-[0.82] font-bold uppercase md:col-start-1 md:col-end-3
            md:row-start-1"
        >
          Motorcycle <br />
          Parts
        </h1>
        <img
          src={motorcycle}
          alt=""
          width="900"
          height="520"
          fetchPriority="high"
          className="relative -mt-3 w-full max-w-none self-end md:col-start-2 md:row-span-2 md:row-start-1 md:mt-0
            md:w-[108%] md:pt-24 lg:pt-28"
        />
        <div className="relative flex flex-col items-start gap-6 self-end pt-6 pb-12 md:col-start-1 md:row-start-2 md:pb-16">
          <p className="max-w-[34ch] text-lg text-ink-quiet">
            Brakes, chains, tyres and riding gear. Clear prices and live stock.
          </p>
          <LinkButton href="/products" variant="bright" size="large">
            <span>Read More</span>
            <span aria-hidden>›</span>
          </LinkButton>
        </div>
      </div>
    </section>
  )
}
