import { type ClipboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button, controlClass } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { FileUpload, pictureFile } from '../../upload.tsx'
import {
  insertBlock,
  insertLink,
  type Selected,
  type TextEdit,
  tableBlock,
  toggleMark,
  togglePrefix,
} from './markdown-edits.ts'

interface MarkdownFieldProps {
  value: string
  error: string | undefined
  onChange: (text: string) => void
  /** Called when an upload of a picture starts and ends. */
  onBusy: (busy: boolean) => void
}

const tools: { name: string; edit: (selected: Selected) => TextEdit }[] = [
  { name: 'Bold', edit: (selected) => toggleMark(selected, '**', 'bold text') },
  { name: 'Italic', edit: (selected) => toggleMark(selected, '*', 'italic text') },
  { name: 'Heading', edit: (selected) => togglePrefix(selected, '## ') },
  { name: 'List', edit: (selected) => togglePrefix(selected, '- ') },
  { name: 'Link', edit: insertLink },
  { name: 'Table', edit: (selected) => insertBlock(selected, tableBlock, 'Size') },
]

/** A text area for Markdown with a toolbar. Formatted text that is pasted becomes Markdown. */
export function MarkdownField({ value, error, onChange, onBusy }: MarkdownFieldProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const uploadArea = useRef<HTMLDivElement>(null)
  const [isPasting, setPasting] = useState(false)

  const readSelection = (): Selected => ({
    text: area.current?.value ?? '',
    start: area.current?.selectionStart ?? 0,
    end: area.current?.selectionEnd ?? 0,
  })
  const apply = ({ from, to, insert, select: [start, end] }: TextEdit) => {
    const element = area.current
    if (!element) return
    element.focus()
    element.setSelectionRange(from, to)
    // Unlike a new value, this can be undone with the keyboard. It fires an input event.
    if (!document.execCommand('insertText', false, insert)) {
      element.setRangeText(insert)
      onChange(element.value)
    }
    element.setSelectionRange(from + start, from + end)
  }
  const paste = async (html: string, plain: string) => {
    const { start, end } = readSelection()
    setPasting(true)
    let insert = plain
    try {
      const { isFormatted, toMarkdown } = await import('./paste.ts')
      if (isFormatted(html)) insert = toMarkdown(html)
    } catch {
      showToast('warning', 'The text was pasted without its formatting.')
    }
    // The browser inserts nothing into a read-only text area.
    flushSync(() => setPasting(false))
    apply({ from: start, to: end, insert, select: [insert.length, insert.length] })
  }
  const insertPicture = (image: string) => {
    const element = area.current
    if (!element) return
    const description = 'Describe the picture'
    const selected = readSelection()
    const edit = insertBlock(selected, `![${description}](${image})`, description)
    const { activeElement } = document
    if (activeElement === element) {
      // The admin types here: the selection stays before the picture.
      apply({ ...edit, select: [selected.start - edit.from, selected.end - edit.from] })
    } else if (activeElement === document.body || uploadArea.current?.contains(activeElement)) {
      apply(edit)
    } else {
      // The admin types in another field.
      element.setRangeText(edit.insert, edit.from, edit.to, 'end')
      onChange(element.value)
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const html = event.clipboardData.getData('text/html')
    if (!html) return
    event.preventDefault()
    void paste(html, event.clipboardData.getData('text/plain'))
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-semibold">
        Text
      </label>
      <div role="toolbar" aria-label="Formatting" aria-controls={id} className="mb-2 flex flex-wrap gap-2">
        {tools.map(({ name, edit }) => (
          <Button key={name} variant="quiet" size="small" onClick={() => apply(edit(readSelection()))}>
            {name}
          </Button>
        ))}
      </div>
      <textarea
        ref={area}
        id={id}
        rows={20}
        value={value}
        readOnly={isPasting}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error ${id}-hint`}
        className={`${controlClass} block py-2.5`}
        onChange={(event) => onChange(event.target.value)}
        onPaste={onPaste}
      />
      <p id={`${id}-error`} aria-live="polite" className="text-sm font-semibold text-bad not-empty:mt-1">
        {error}
      </p>
      <p id={`${id}-hint`} className="mt-1 text-sm text-quiet">
        Markdown. Formatted text that you paste is converted.
      </p>
      <div ref={uploadArea} className="mt-3">
        <FileUpload
          route="addPicture"
          {...pictureFile}
          label="Insert a picture"
          hint={`Or drop one here: ${pictureFile.hint}`}
          onBusy={onBusy}
          onUploaded={({ image }) => insertPicture(image)}
        />
      </div>
    </div>
  )
}
