/** A size and a colour, as in the URL of a product. */
export interface Choice {
  size?: string | undefined
  colour?: string | undefined
}

/** The names of a choice, which are also its parameters in a URL. */
export const choiceNames = ['size', 'colour'] as const

/** The fragment of a product's URL that asks for a choice: the id of its links. */
export const missingHash = (name: keyof Choice): string => `#choose-${name}`

/** Reads the choice of a URL. */
export function readChoice(search: string): Choice {
  const parameters = new URLSearchParams(search)
  return { size: parameters.get('size') || undefined, colour: parameters.get('colour') || undefined }
}

/** Returns the query of a URL for a choice, with its question mark; empty if nothing is chosen. */
export function choiceSearch(choice: Choice): string {
  const chosen = choiceNames.flatMap((name) => {
    const value = choice[name]
    return value === undefined ? [] : [[name, value]]
  })
  return chosen.length > 0 ? `?${new URLSearchParams(chosen)}` : ''
}
