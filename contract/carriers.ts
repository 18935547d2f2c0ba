/** Parcel carriers with their tracking page, in which `{number}` is replaced. */
export const carriers: readonly { name: string; trackingUrl: string }[] = [
  { name: 'UPS', trackingUrl: 'https://www.ups.com/track?tracknum={number}' },
  { name: 'USPS', trackingUrl: 'https://tools.usps.com/go/TrackConfirmAction?tLabels={number}' },
  { name: 'FedEx', trackingUrl: 'https://www.fedex.com/fedextrack/?trknbr={number}' },
  { name: 'DHL', trackingUrl: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id={number}' },
  { name: 'DPD', trackingUrl: 'https://tracking.dpd.de/status/en_US/parcel/{number}' },
  { name: 'GLS', trackingUrl: 'https://gls-group.com/GROUP/en/parcel-tracking?match={number}' },
  {
    name: 'Canada Post',
    trackingUrl: 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor={number}',
  },
  { name: 'Royal Mail', trackingUrl: 'https://www.royalmail.com/track-your-item#/tracking-results/{number}' },
]

/** Returns the page that tracks a parcel; null for a carrier without one. Carriers print numbers in groups. */
export function toTrackingUrl(carrier: string | undefined, number: string): string | null {
  const name = carrier?.toLowerCase()
  const template = carriers.find((each) => each.name.toLowerCase() === name)?.trackingUrl
  return template?.replace('{number}', encodeURIComponent(number.replaceAll(' ', ''))) ?? null
}
