/** The list of the parts that fit a bike, of one kind if it is given. */
export const partsPath = (bike: number, kind?: string): string =>
  `/products?${new URLSearchParams({ ...(kind && { kind }), bike: `${bike}` })}`

/** Text of the link to the parts of a kind that fit. */
export const nameFitting = (kind: string | undefined): string =>
  `See ${kind?.toLowerCase() ?? 'parts'} that fit`
