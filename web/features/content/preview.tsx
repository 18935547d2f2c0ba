import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readMessage } from '../../api.ts'
import { DocumentText } from './document-text.tsx'
import { previewQuery } from './queries.ts'

const pauseMs = 400

/** The text as visitors will see it, rendered by the server after a pause of typing. */
export function Preview({ title, body }: { title: string; body: string }) {
  const [rendered, setRendered] = useState(body)
  useEffect(() => {
    const timer = setTimeout(setRendered, pauseMs, body)
    return () => clearTimeout(timer)
  }, [body])
  const preview = useQuery(previewQuery(rendered))
  const isBlank = body.trim() === ''
  return (
    <section aria-labelledby="preview" className="min-w-0 rounded-card border border-line bg-surface p-5">
      <h2 id="preview" className="label mb-4 text-quiet">
        Preview
      </h2>
      {title && <p className="mb-4 font-display text-3xl font-bold wrap-anywhere">{title}</p>}
      {preview.isError && <p className="text-bad">{readMessage(preview.error)}</p>}
      {isBlank && <p className="text-quiet">The text appears here.</p>}
      {!isBlank && preview.data && <DocumentText html={preview.data.html} />}
    </section>
  )
}
