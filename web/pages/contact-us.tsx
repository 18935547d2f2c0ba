import { useEffect, useState } from 'react'
import type { Contact } from '../../contract/settings.ts'
import { mapHost } from '../../contract/shop.ts'
import staticMap from '../../drawings/map.svg'
import { toEmailUrl, toPhoneUrl } from '../contact-urls.ts'
import type { PageProps } from '../router/page.ts'
import { BusyButton } from '../ui/busy-button.tsx'
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

/** Contact data, map and feedback form. Its Submit button does nothing, as the specification requires. */
export default function ContactUs({ data: contact }: PageProps<Contact>) {
  const { place, showFeedback } = contact
  const details = listDetails(contact)
  const hasCard = showFeedback || details.length > 0
  return (
    <div className="page-width">
      <PageHead title="Contact Us" />
      <div
        className={`grid overflow-hidden rounded-card border border-line bg-surface ${place && hasCard ? 'lg:grid-cols-[1fr_26rem]' : ''}`}
      >
        {place && (
          <ShopMap {...contact} place={place} className={`h-64 xs:h-80 ${hasCard ? 'lg:h-auto' : ''}`} />
        )}
        {hasCard && (
          <div className="divide-y divide-line">
            {details.length > 0 && <Details details={details} />}
            {showFeedback && <Feedback />}
          </div>
        )}
      </div>
    </div>
  )
}

const Feedback = () => (
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
)

interface Detail {
  name: string
  lines: string[]
  href?: string
}

const listDetails = ({ legalName, address, email, phone, hours, hoursNote }: Contact): Detail[] => {
  const open = hours.map(
    ({ from, to, opens, closes }) => `${from === to ? from : `${from} to ${to}`}: ${opens}–${closes}`,
  )
  const all: Detail[] = [
    { name: 'Address', lines: address.length > 0 ? [legalName, ...address] : [] },
    { name: 'Phone', lines: [phone], href: toPhoneUrl(phone) },
    { name: 'Email', lines: [email], href: toEmailUrl(email) },
    { name: 'Opening hours', lines: [...open, hoursNote] },
  ]
  return all
    .map((detail) => ({ ...detail, lines: detail.lines.filter(Boolean) }))
    .filter(({ lines }) => lines.length > 0)
}

const Details = ({ details }: { details: Detail[] }) => (
  <dl className="flex flex-col gap-4 p-6 md:p-10">
    {details.map(({ name, lines, href }) => (
      <div key={name}>
        <dt className="label text-sm text-quiet">{name}</dt>
        <dd className="mt-1 wrap-anywhere whitespace-pre-line">
          {href ? (
            <a href={href} className="-my-2.5 inline-flex min-h-11 items-center text-signal underline">
              {lines}
            </a>
          ) : (
            lines.join('\n')
          )}
        </dd>
      </div>
    ))}
  </dl>
)

function mapLinks({ latitude, longitude }: NonNullable<Contact['place']>) {
  const corners = [longitude - 0.008, latitude - 0.004, longitude + 0.008, latitude + 0.004]
  return {
    frame: `${mapHost}/export/embed.html?${new URLSearchParams({
      bbox: corners.map((degrees) => degrees.toFixed(4)).join(','),
      layer: 'mapnik',
      marker: `${latitude},${longitude}`,
    })}`,
    largeMap: `${mapHost}/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`,
  }
}

interface ShopMapProps {
  /** In degrees. */
  place: NonNullable<Contact['place']>
  isDefaultPlace: boolean
  className?: string
}

/**
 * Map of the shop: a static drawing of the specified place. On request the OpenStreetMap iframe covers it: until then
 * nothing is loaded from there.
 */
function ShopMap({ place, isDefaultPlace, className = '' }: ShopMapProps) {
  const { frame, largeMap } = mapLinks(place)
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
  }, [asked, frame])
  return (
    // The space at the top is for the button, which would cover the mark of the drawing.
    <div className={`relative flex flex-col overflow-hidden bg-shade pt-24 xs:pt-15 ${className}`}>
      {isDefaultPlace && (
        <img
          src={staticMap}
          alt={loaded ? '' : 'Map: the shop is on the corner of two streets, one block from the river'}
          width="900"
          height="600"
          className="min-h-0 w-full grow basis-0 object-cover object-top"
        />
      )}
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
        <div className="absolute inset-x-0 top-0 flex min-h-24 flex-wrap items-center gap-x-4 gap-y-1 bg-surface p-3 xs:min-h-15">
          <BusyButton
            variant="quiet"
            size="small"
            busy={asked > 0 && reachable === undefined}
            slow="We are still waiting for openstreetmap.org."
            onClick={() => {
              setReachable(undefined)
              setAsked(asked + 1)
            }}
          >
            Show the map
          </BusyButton>
          <p className="flex-1 text-sm text-quiet">
            The map comes from openstreetmap.org, which then sees your IP address.
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
        className="absolute bottom-0 left-0 flex min-h-11 items-center rounded-tr-control bg-surface px-3 text-sm font-semibold text-signal
          underline focus-visible:-outline-offset-3"
      >
        View on OpenStreetMap
      </a>
    </div>
  )
}
