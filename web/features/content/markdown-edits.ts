/** A text with a selection, as in a text area. */
export interface Selected {
  text: string
  start: number
  end: number
}

/** Replaces the characters from `from` to `to`, and selects a part of the replacement. */
export interface TextEdit {
  from: number
  to: number
  insert: string
  /** Start and end of the next selection, counted from `from`. */
  select: [start: number, end: number]
}

/** Puts marks around the selection, or removes them. */
export function toggleMark({ text, start, end }: Selected, mark: string, placeholder: string): TextEdit {
  const selected = text.slice(start, end)
  const isMarked =
    text.slice(Math.max(0, start - mark.length), start) === mark &&
    text.startsWith(mark, end) &&
    selected !== ''
  if (isMarked) {
    return {
      from: start - mark.length,
      to: end + mark.length,
      insert: selected,
      select: [0, selected.length],
    }
  }
  const inner = selected || placeholder
  return {
    from: start,
    to: end,
    insert: `${mark}${inner}${mark}`,
    select: [mark.length, mark.length + inner.length],
  }
}

/** Puts a prefix before each selected line that is not blank, or removes it from all of them. */
export function togglePrefix({ text, start, end }: Selected, prefix: string): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const to = lineEnd === -1 ? text.length : lineEnd
  const lines = text.slice(from, to).split('\n')
  const filled = lines.filter((line) => line.trim() !== '')
  const isPrefixed = filled.length > 0 && filled.every((line) => line.startsWith(prefix))
  const edited = lines.map((line) => {
    if (isPrefixed) return line.startsWith(prefix) ? line.slice(prefix.length) : line
    return line.trim() === '' && lines.length > 1 ? line : prefix + line
  })
  const insert = edited.join('\n')
  // A single line gets the cursor at its end, to type on.
  return { from, to, insert, select: lines.length > 1 ? [0, insert.length] : [insert.length, insert.length] }
}

/** Makes the selection the text of a link, and selects the address. */
export function insertLink({ text, start, end }: Selected): TextEdit {
  const label = text.slice(start, end) || 'text'
  const address = 'https://'
  return {
    from: start,
    to: end,
    insert: `[${label}](${address})`,
    select: [label.length + 3, label.length + 3 + address.length],
  }
}

/** Inserts a block after the selection, with blank lines around it, and selects a part of it. */
export function insertBlock({ text, end }: Selected, block: string, selected: string): TextEdit {
  const before = text.slice(0, end)
  const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const after = text.slice(end).startsWith('\n') || end === text.length ? '\n' : '\n\n'
  const start = gap.length + Math.max(0, block.indexOf(selected))
  return { from: end, to: end, insert: gap + block + after, select: [start, start + selected.length] }
}

export const tableBlock = '| Size | Price |\n| --- | ---: |\n| M | 10 |\n| L | 12 |'
