/**
 * Of known words those that come nearest to a typed one, the nearest first; none where all are too far.
 * Words of fewer than three letters are taken as they are.
 */
export function nearestWords(typed: string, known: string[]): string[] {
  const most = patience(typed.length)
  const near = known
    .map((word) => ({ word, distance: distanceBetween(typed, word) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance || (one.word < other.word ? -1 : 1))
  const least = near[0]?.distance
  return near.filter(({ distance }) => distance === least).map(({ word }) => word)
}

/** How many slips of the finger a word of this length may have. */
function patience(length: number): number {
  if (length < 3) return 0
  if (length < 5) return 1
  return length < 9 ? 2 : 3
}

/** How many letters were left out, put in, mistaken or exchanged with their neighbour (optimal string alignment). */
function distanceBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1]
      const exchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        row > 1 && column > 1 && exchanged ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, last] = [last, current]
  }
  return last[other.length] ?? 0
}
