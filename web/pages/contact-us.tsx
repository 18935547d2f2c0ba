import { useEffect, useState } from 'react'
import { mapHost } from '../../contract/shop.ts'
import staticMap from '../../drawings/map.svg'
import { Button } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { PageHead } from '../ui/page-head.tsx'

/** Filler text of the contact page. */
const contactText = "Tell us what fits, what doesn't and what we should stock."

export const meta = () => ({
  title: 'Contact Us',
  description: 'Our location and contact details.',
  canonical: '/contact-us',
})

/** Map and feedback form. Its Submit button does nothing, as the specification requires. */
export default function ContactUs() {
  return (
    <div className="page-width">
      <PageHead title="Contact Us" />
      <div className="grid overflow-hidden rounded-card border border-line bg-surface lg:grid-cols-[1fr_26rem]">
        <ShopMap className="h-64 xs:h-80 lg:h-auto" />
        <section aria-labelledby="feedback" className="p-6 md:p-10">
          <h2 id="feedback" className="font-display text-2xl font-bold">
            Feedback
          </h2>
          <p className="mt-2 text-quiet">{contactText}</p>
          <div className="mt-6 flex flex-col gap-4">
            <TextField label="Email" type="email" autoComplete="email" />
            <TextArea label="Message" rows={5} />
            <Button>Submit</Button>
          </div>
        </section>
      </div>
    </div>
  )
}

/** Location of the shop, in degrees. */
const [latitude, longitude] = [43.0325, -87.9185]
const corners = [longitude - 0.008, latitude - 0.004, longitude + 0.008, latitude + 0.004]
const frame = `${mapHost}/export/embed.html?${new URLSearchParams({
  bbox: corners.map((degrees) => degrees.toFixed(4)).join(','),
  layer: 'mapnik',
  marker: `${latitude},${longitude}`,
})}`
const largeMap = `${mapHost}/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`

/** Map of the shop: a static drawing. On request the OpenStreetMap iframe covers it: until then nothing is loaded from there. */
function ShopMap({ className = '' }: { className?: string }) {
  /** How often the visitor has asked for the map. */
  const [asked, setAsked] = useState(0)
  /** Undefined until it is known. */
  const [reachable, setReachable] = useState<boolean>()
  const [loaded, setLoaded] = useState(false)
  useEffect(() => {
    if (asked === 0) return
    // An iframe fires `load` for the browser's error page as well, but `fetch` rejects if the site is unreachable.
    const unmounted = new AbortController()
    fetch(frame, { method: 'HEAD', mode: 'no-cors', signal: unmounted.signal }).then(
      () => setReachable(true),
      () => {
        if (!unmounted.signal.aborted) setReachable(false)
      },
    )
    return () => unmounted.abort()
  }, [asked])
  return (
    <div className={`relative overflow-hidden bg-shade ${className}`}>
      <img
        src={staticMap}
        alt={loaded ? '' : 'Map: the shop is on the corner of two streets, one block from the river'}
        width="900"
        height="600"
        className="size-full object-cover"
      />
      {reachable && (
        <iframe
          src={frame}
          title="Map of the shop's location"
          loading="lazy"
          referrerPolicy="strict-origin-when-cross-origin"
          // oxlint-disable-next-line react/iframe-missing-sandbox -- a cross-origin frame cannot remove its sandbox
          sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          onLoad={() => setLoaded(true)}
          className={`absolute inset-0 size-full border-0 transition-opacity ${loaded ? '' : 'invisible opacity-0'}`}
        />
      )}
      {!reachable && (
        <div className="absolute inset-x-0 top-0 flex flex-wrap items-center gap-x-4 gap-y-1 bg-surface/95 p-3">
          <Button
            variant="quiet"
            size="small"
            busy={asked > 0 && reachable === undefined}
            onClick={() => {
              setReachable(undefined)
              setAsked(asked + 1)
            }}
          >
            Show the map
          </Button>
          <p className="flex-1 text-sm text-quiet">
            It comes from openstreetmap.org, which then receives your IP address.
          </p>
          <p role="status" className="text-sm font-semibold text-bad empty:hidden">
            {reachable === false && 'The map could not be loaded.'}
          </p>
        </div>
      )}
      <a
        href={largeMap}
        target="_blank"
        rel="noreferrer"
        className="absolute bottom-0 left-0 rounded-tr-control bg-surface px-3 py-2 text-sm font-semibold text-signal
          underline focus-visible:-outline-offset-3"
      >
        View on OpenStreetMap
      </a>
    </div>
  )
}
