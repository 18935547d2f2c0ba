interface SizeAndColour {
  size?: string | null | undefined
  colour?: string | null | undefined
}

/** Returns size and colour, such as `L, Blue`; empty without both. */
export const nameChoice = ({ size, colour }: SizeAndColour): string =>
  [size, colour].filter(Boolean).join(', ')

/** Returns the name of a product with size and colour, such as `Touring jacket, L, Blue`. */
export const nameItem = (item: SizeAndColour & { name: string }): string =>
  [item.name, nameChoice(item)].filter(Boolean).join(', ')
