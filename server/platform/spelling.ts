/**
 * Returns the known words with the smallest distance to the typed word, in alphabetical order. Returns none if all are
 * too far away.
 */
export function nearestWords(typed: string, known: string[]): string[] {
  const maxDistance = getMaxDistance(typed.length)
  const near = known
    .map((word) => ({ word, distance: getDistance(typed, word) }))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
  const smallest = near[0]?.distance
  return near.filter(({ distance }) => distance === smallest).map(({ word }) => word)
}

/** Returns the maximum number of typing errors for a word of this length. */
function getMaxDistance(length: number): number {
  if (length < 3) return 0
  if (length < 6) return 1
  return length < 9 ? 2 : 3
}

/** The number of inserted, missing, wrong or exchanged characters (optimal string alignment distance). */
function getDistance(a: string, b: string): number {
  let previous: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      const exchanged = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        row > 1 && column > 1 && exchanged ? (previous[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[previous, last] = [last, current]
  }
  return last[b.length] ?? 0
}
